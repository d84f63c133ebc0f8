import { readJsonBody } from '../json-calls';
import type { Dialect } from './dialect';

/** Phi-4-mini: Granite's opener with a closer of its own, or `functools[…]`. */
export const phi: Dialect = {
  id: 'phi',
  example: '<|tool_call|>{"name": "…", "arguments": {…}}<|/tool_call|>',
  markers: [
    {
      kind: 'call',
      dialect: 'phi',
      open: 'functools[',
      closers: [],
      keep: 1,
      endsWithValue: true,
      lineStart: true,
    },
    { kind: 'closer', open: '<|/tool_call|>' },
  ],
  read: (body, context) => readJsonBody(body.text, context),
};
