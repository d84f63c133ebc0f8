import { readJsonBody } from '../json-calls';
import type { CallMarker, Marker } from '../markers';
import type { Dialect } from './dialect';

const CLOSERS = ['</tool_call>', '</toolcall>', '</tool-call>'];
const tag = (open: string, tail?: CallMarker['tail']): Marker => ({
  kind: 'call',
  dialect: 'hermes',
  open,
  tail,
  closers: CLOSERS,
});

/** Hermes 2 and 3, Qwen 2.5 and 3, Granite 4, SmolLM3 and most fine-tunes; also in a labelled fence. */
export const hermes: Dialect = {
  id: 'hermes',
  example: '<tool_call>{"name": "…", "arguments": {…}}</tool_call>',
  markers: [
    tag('<tool_call', 'attributes'),
    tag('<toolcall', 'attributes'),
    tag('<tool-call', 'attributes'),
    tag('<tool_call|>'),
    ...['```tool_call', '```tool_calls', '```invoke', '```function_call'].map(
      (open) =>
        ({ kind: 'call', dialect: 'hermes', open, tail: 'word-end', closers: ['```'] }) as const,
    ),
    ...CLOSERS.map((open) => ({ kind: 'closer', open }) as const),
  ],
  read: (body, context) => readJsonBody(body.text, context),
};
