import { readBraceCalls } from '../brace-call';
import { readPythonic } from '../pythonic';
import type { Dialect } from './dialect';

/** Gemma 4's markup, and the `tool_code` fences of Gemma 2 and 3. */
export const gemma: Dialect = {
  id: 'gemma',
  example: '<|tool_call>call:name{key:<|"|>value<|"|>}<tool_call|>',
  markers: [
    { kind: 'call', dialect: 'gemma', open: '<|tool_call>', closers: ['<tool_call|>'] },
    {
      kind: 'call',
      dialect: 'gemma',
      open: '```tool_code',
      tail: 'word-end',
      closers: ['```'],
    },
  ],
  read: (body, context) => readBraceCalls(body, context) ?? readPythonic(body.text, context),
};
