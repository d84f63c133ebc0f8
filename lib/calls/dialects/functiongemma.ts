import { readBraceCalls } from '../brace-call';
import type { Dialect } from './dialect';

/** FunctionGemma. */
export const functiongemma: Dialect = {
  id: 'functiongemma',
  example: '<start_function_call>call:name{key:<escape>value<escape>}<end_function_call>',
  markers: [
    {
      kind: 'call',
      dialect: 'functiongemma',
      open: '<start_function_call>',
      closers: ['<end_function_call>'],
    },
    { kind: 'closer', open: '<end_function_call>' },
  ],
  read: readBraceCalls,
};
