import { readHeaded } from '../headed-call';
import type { CallMarker } from '../markers';
import type { Dialect } from './dialect';

const closers = ['<|tool_call_end|>', '<|tool_calls_end|>'];
const open = (marker: string): CallMarker => ({
  kind: 'call',
  dialect: 'deepseek',
  open: marker,
  closers,
});

/** DeepSeek V3, V3.1, R1 and its distillations. Full-width bars and low blocks match as ASCII. */
export const deepseek: Dialect = {
  id: 'deepseek',
  example: '<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}<｜tool▁call▁end｜>',
  markers: [
    open('<|tool_calls_begin|>'),
    open('<|tool_call_begin|>'),
    { kind: 'closer', open: '<|tool_calls_end|>' },
  ],
  read: (body, context) => readHeaded(body.text, context),
};
