import { readJsonBody } from '../json-calls';
import type { Dialect } from './dialect';

/** Granite 3: a list of calls that nothing closes. Granite 4 writes `hermes`. */
export const granite: Dialect = {
  id: 'granite',
  example: '<|tool_call|>[{"name": "…", "arguments": {…}}]',
  markers: [
    {
      kind: 'call',
      dialect: 'granite',
      open: '<|tool_call|>',
      closers: ['<|/tool_call|>', '</tool_call>'],
    },
  ],
  read: (body, context) => readJsonBody(body.text, context),
};
