import { readJsonBody } from '../json-calls';
import { readPythonic } from '../pythonic';
import type { Dialect } from './dialect';

/** Llama 3.x: a bare JSON reply, often after a token that nothing closes. */
export const llama: Dialect = {
  id: 'llama',
  example: '{"name": "…", "parameters": {…}}',
  markers: [{ kind: 'call', dialect: 'llama', open: '<|python_tag|>', closers: [] }],
  read: (body, context) => readPythonic(body.text, context) ?? readJsonBody(body.text, context),
};
