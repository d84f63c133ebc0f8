import { readPythonic } from '../pythonic';
import type { Dialect } from './dialect';

/** LFM2 and LFM2.5: Python calls, or JSON when the system prompt asks for it. */
export const liquid: Dialect = {
  id: 'liquid',
  example: '<|tool_call_start|>[name(key="value")]<|tool_call_end|>',
  markers: [
    {
      kind: 'call',
      dialect: 'liquid',
      open: '<|tool_call_start|>',
      closers: ['<|tool_call_end|>'],
    },
    { kind: 'closer', open: '<|tool_call_end|>' },
  ],
  read: (body, context) => readPythonic(body.text, context),
};
