import { readJsonBody } from '../json-calls';
import type { Dialect } from './dialect';

/** The whole reply as JSON, for engines that can be held to a schema. It has no markers. */
export const json: Dialect = {
  id: 'json',
  example: '{"type": "tool_call", "name": "…", "arguments": {…}}',
  markers: [],
  read: (body, context) => readJsonBody(body.text, context),
};
