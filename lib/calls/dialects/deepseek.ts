import { readHeaded } from '../headed-call';
import type { CallMarker } from '../markers';
import type { Dialect } from './dialect';

const closers = ['<|tool_call_end|>', '<|tool_calls_end|>', '<|tool_calls_section_end|>'];
const open = (marker: string): CallMarker => ({
  kind: 'call',
  dialect: 'deepseek',
  open: marker,
  closers,
});

/** DeepSeek V3, V3.1, R1 and its distillations, Kimi K2, and the calls of gpt-oss. Full-width bars and low blocks match as ASCII. */
export const deepseek: Dialect = {
  id: 'deepseek',
  example: '<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}<｜tool▁call▁end｜>',
  markers: [
    open('<|tool_calls_begin|>'),
    open('<|tool_call_begin|>'),
    open('<|tool_calls_section_begin|>'),
    {
      kind: 'call',
      dialect: 'deepseek',
      open: '<|channel|>commentary to=',
      closers: ['<|call|>'],
    },
    ...['<|tool_calls_end|>', '<|tool_calls_section_end|>', '<|call|>'].map(
      (closer) => ({ kind: 'closer', open: closer }) as const,
    ),
  ],
  read: (body, context) => readHeaded(body.text, context),
};
