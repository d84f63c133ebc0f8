import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dialectOf } from '../../../lib/agent/dialects/table';
import { renderResult } from '../../../lib/agent/results';
import { presentationFor, presentEntry } from '../../../lib/tools/exposure/presentation';
import { LISTINGS, renderTool } from '../../../lib/tools/render/listing';
import { fence } from '../../../lib/tools/text/untrusted';

/** What joins letters or pictures, or chooses how a picture looks, is seen. */
const SEEN =
  /(?<=\p{L}|\p{M}|\p{Extended_Pictographic}|\uFE0F)[\u200C\u200D](?=\p{L}|\p{M}|\p{Extended_Pictographic})|(?<=\p{Emoji})(?:\uFE0E|\uFE0F)/gu;
const HIDDEN = /\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB\u2028\u2029]|(?!\n|\t)\p{Cc}/u;
const hidden = (prompt: string) =>
  HIDDEN.exec(prompt.replace(SEEN, ''))?.[0].codePointAt(0)?.toString(16);

const ignorable = fc.constantFrom(
  ...[
    0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180b, 0x200b, 0x200d, 0x202e, 0x2064, 0x3164, 0xfe00,
    0xfe0f, 0xfeff, 0xffa0,
  ],
  ...[0x1bca0, 0x1d173, 0xe0001, 0xe0041, 0xe0100, 0xe01ef, 0xe0fff],
);
const text = fc
  .array(
    fc.oneof(
      ignorable,
      ignorable,
      fc.constantFrom(0x41, 0x20, 0x3c, 0x7c, 0x1f600, 0x644, 0x2028, 7),
    ),
    { maxLength: 12 },
  )
  .map((codes) => String.fromCodePoint(...codes));

const DIALECTS = [
  'json',
  'hermes',
  'p-format',
  'liquid',
  'llama',
  'gemma',
  'functiongemma',
  'qwen-xml',
  'mistral',
  'granite',
  'phi',
  'deepseek',
] as const;

test('no prompt holds what a reader does not see, whatever a page writes into a tool', () => {
  fc.assert(
    fc.property(
      text,
      text,
      text,
      text,
      fc.constantFrom(2_048, 32_768),
      (description, name, words, choice, window) => {
        const inner = {
          type: 'string',
          title: words,
          description: words,
          enum: [choice, `${choice}b`],
        };
        const schema = {
          type: 'object',
          description: words,
          properties: {
            [name]: inner,
            o: { type: 'object', properties: { [`${name}x`]: inner }, description: words },
          },
          required: [name],
        };
        const entry = {
          name: 't',
          source: 'page' as const,
          schema,
          tool: { name: 't', description, inputSchema: schema },
        };
        const tool = presentEntry(entry as never, presentationFor(window, 'json'));
        for (const listing of LISTINGS) expect(hidden(renderTool(listing, tool))).toBeUndefined();
        for (const id of DIALECTS) expect(hidden(dialectOf(id).tools([tool]))).toBeUndefined();
      },
    ),
  );
});

test('nor does a result', () => {
  fc.assert(
    fc.property(text, text, (name, value) => {
      for (const result of [value, { [name]: value, l: [{ [name]: value }] }, [value]]) {
        const shown = fence(renderResult(result), 'k3');
        for (const id of DIALECTS) expect(hidden(dialectOf(id).result('t', shown))).toBeUndefined();
      }
    }),
  );
});
