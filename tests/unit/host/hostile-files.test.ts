import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldTranscript } from '../../../lib/agent/transcript';
import { readGguf } from '../../../lib/engines/models/gguf';
import { EvalSite } from '../../../lib/evals/format';
import { fromJson, toJson, toMarkdown, toTrace } from '../../../lib/host/exporting';
import { WordsError } from '../../../lib/said/said';
import { checkSettings } from '../../../lib/settings/store';
import { say, setup } from './stage';

/** Refused in words for the user, or read: nothing else may come of a file. */
function refusalOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(WordsError);
    const { message } = error as WordsError;
    expect(message.length).toBeGreaterThan(10);
    expect(message).not.toMatch(/undefined|\[object|stack|RangeError/i);
    return message;
  }
}

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const head = { format: 'pagehand-conversation', version: 1, title: 't', origin: 'o', createdAt: 0 };
const started = {
  id: '1',
  at: 0,
  conversationId: 'c',
  turnId: 't',
  type: 'turn-started',
  ask: 'a',
  tabId: 1,
  url: 'https://a.test',
  engine: 'instant',
  strategy: 'single',
};
const proposed = {
  id: '2',
  at: 0,
  conversationId: 'c',
  turnId: 't',
  type: 'call-proposed',
  step: 1,
  callId: 'k',
  tool: { key: 'k', name: 'n', origin: 'o' },
  arguments: {},
  deferred: false,
  readOnly: false,
  consequential: false,
  fixes: [],
  unsourced: [],
  unchecked: [],
};
const info = { id: 'c', title: 't', origin: 'o', createdAt: 0, updatedAt: 0, turns: 1 };

describe('a conversation from a file', () => {
  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['another kind of file', '{"format":"pagehand-trace","version":1,"events":[]}'],
    ['a later version', JSON.stringify({ ...head, version: 2, events: [] })],
    ['no list of events', JSON.stringify({ ...head, events: {} })],
    ['a list in place of a file', deep(5000)],
    ['a title without end', JSON.stringify({ ...head, title: 'x'.repeat(300), events: [] })],
  ])('is refused in words: %s', (_, text) => {
    expect(refusalOf(() => fromJson(text))).toBeDefined();
  });

  it.each([100, 1500, 5000, 20_000])('passes over an event nested %i deep', (levels) => {
    const odd = JSON.stringify({ ...head, events: [started, proposed] }).replace(
      '"arguments":{}',
      `"arguments":{"a":${deep(levels)}}`,
    );
    const file = fromJson(odd);
    expect(file).toMatchObject({ skipped: 1, events: [{ type: 'turn-started' }] });
  });

  it('whatever its events are, it is read, folded and exported, or refused', () => {
    const field = fc.constantFrom(...Object.keys({ ...started, ...proposed }));
    const event = fc
      .tuple(fc.constantFrom(started, proposed), fc.dictionary(field, fc.jsonValue()))
      .map(([base, changed]) => ({ ...base, ...changed }));
    fc.assert(
      fc.property(fc.array(fc.oneof(event, fc.jsonValue()), { maxLength: 8 }), (events) => {
        const text = JSON.stringify({ ...head, events });
        const file = fromJson(text);
        expect(file.events.length + file.skipped).toBe(events.length);
        foldTranscript(file.events);
        toMarkdown(info, file.events);
        toTrace(info, file.events, { pagehand: '1', browser: 'x', language: 'en' }, false);
        expect(fromJson(toJson(info, file.events)).events).toEqual(file.events);
      }),
    );
  });

  it('any text is read or refused in words', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.json({ maxDepth: 8 })), (text) => {
        refusalOf(() => fromJson(text));
      }),
    );
  });

  it('that is refused leaves nothing behind', async () => {
    const { request, database } = await setup([say('x')]);
    const { conversation } = await request('watch', { tabId: 1 });
    await expect(request('importConversation', { tabId: 1, text: deep(9000) })).rejects.toThrow();
    expect(await database.conversations()).toEqual([]);
    expect((await request('watch', { tabId: 1 })).conversation.id).toBe(conversation.id);
  });
});

describe('settings from a file', () => {
  it('are what fits, and defaults for the rest', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.object({ maxDepth: 4 })), (raw) => {
        const read = checkSettings(raw);
        expect(checkSettings(JSON.parse(JSON.stringify(read)))).toEqual(read);
      }),
    );
  });

  it('nested without end are as good as none', () => {
    expect(checkSettings(JSON.parse(deep(9000)))).toEqual(checkSettings({}));
    const sites = JSON.parse(`{"sites":{"https://a.test":{"recipe":{"facts":${deep(9000)}}}}}`);
    expect(checkSettings(sites)).toEqual(checkSettings({}));
  });
});

describe('eval cases from a file', () => {
  it('are read or refused, nested without end too', () => {
    const odd = JSON.parse(`{"site":"s","about":"a","tools":[],"results":{"a":${deep(300)}}}`);
    expect(EvalSite.safeParse(odd).success).toBe(false);
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        EvalSite.safeParse(raw);
      }),
    );
  });
});

describe('the head of a model file', () => {
  const magic = [0x47, 0x47, 0x55, 0x46];
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc
      .uint8Array({ maxLength: 400 })
      .map((rest) => Uint8Array.from([...magic, 3, 0, 0, 0, ...rest])),
    // Counts and lengths that are larger than any file.
    fc
      .tuple(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      )
      .map(([tensors, entries]) => {
        const view = new DataView(new ArrayBuffer(40));
        for (const [at, byte] of magic.entries()) view.setUint8(at, byte);
        view.setUint32(4, 3, true);
        view.setBigUint64(8, tensors, true);
        view.setBigUint64(16, entries, true);
        view.setBigUint64(24, entries, true);
        return new Uint8Array(view.buffer);
      }),
  );
  it('is refused in words unless it is one', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        try {
          await readGguf(new Blob([Uint8Array.from(content)]));
        } catch (error) {
          expect(error).toBeInstanceOf(WordsError);
          expect((error as WordsError).message).not.toMatch(/RangeError|undefined/);
        }
      }),
    );
  });
});
