import { readJsonBody } from '../json-calls';
import type { CallMarker, Marker } from '../markers';
import type { Dialect } from './dialect';

const TAGS = ['tool_call', 'toolcall', 'tool-call', 'tool_use', 'function_call'];
/** Words that answers use too: a tag only with a call right behind it. */
const PLURALS = ['tools', 'tool_calls', 'function_calls'];
const CLOSERS = [...TAGS, ...PLURALS].map((name) => `</${name}>`);
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
    ...TAGS.map((name) => tag(`<${name}`, 'attributes')),
    ...PLURALS.flatMap((name) =>
      ['{', '[', '\n{', '\n['].map(
        (start) =>
          ({
            kind: 'call',
            dialect: 'hermes',
            open: `<${name}>${start}`,
            keep: 1,
            closers: CLOSERS,
          }) as const,
      ),
    ),
    tag('<tool_call|>'),
    ...['```tool_call', '```tool_calls', '```invoke', '```function_call'].map(
      (open) =>
        ({ kind: 'call', dialect: 'hermes', open, tail: 'word-end', closers: ['```'] }) as const,
    ),
    ...CLOSERS.map((open) => ({ kind: 'closer', open }) as const),
  ],
  read: (body, context) => readJsonBody(body.text, context),
};
