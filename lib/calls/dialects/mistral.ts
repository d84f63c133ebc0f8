import { readHeaded } from '../headed-call';
import { readJsonBody } from '../json-calls';
import type { Dialect } from './dialect';

/** Mistral and Ministral: a list of calls (to v7), or a name and its arguments (from v11). */
export const mistral: Dialect = {
  id: 'mistral',
  example: '[TOOL_CALLS][{"name": "…", "arguments": {…}}]',
  markers: [
    {
      kind: 'call',
      dialect: 'mistral',
      open: '[tool_calls]',
      closers: ['[/tool_calls]'],
      endsWithValue: true,
    },
    { kind: 'closer', open: '[/tool_calls]' },
  ],
  read: (body, context) => readHeaded(body.text, context) ?? readJsonBody(body.text, context),
};
