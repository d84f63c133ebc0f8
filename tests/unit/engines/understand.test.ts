import { describe, expect, test } from 'vitest';
import type { ChatMessage } from '../../../lib/agent/engine';
import { createInstant } from '../../../lib/engines/instant';
import type { Read } from '../../../lib/engines/instant/understand';
import type { Reading, SlotReading, Words } from '../../../lib/reader/read';
import type { CompactTool, JsonObject, JsonValue } from '../../../lib/tools/tool';

/** The words of a request, found in it. */
const at = (text: string, words: string): Words => {
  const start = text.indexOf(words);
  if (start < 0) throw new Error(`“${words}” is not in “${text}”`);
  return { part: 0, start, end: start + words.length, text: words };
};

interface Told {
  tool: string;
  score?: number;
  says?: Record<string, string | { choice: JsonValue } | { yes: boolean } | { result: string }>;
  left?: string[];
}

/** A reader that reads what the test tells it: by request, the tools that serve it. */
const told =
  (readings: Record<string, Told[]>, cuts: Record<string, string[]> = {}): Read =>
  async (request, _earlier, tools): Promise<Reading> => {
    const known = readings[request] ?? [];
    return {
      cuts: (cuts[request] ?? []).map((w) => at(request, w).start),
      tools: known
        .filter((k) => tools.some((t) => t.name === k.tool))
        .map(({ tool, score = 3, says = {}, left = [] }) => ({
          name: tool,
          score,
          left: left.map((w) => at(request, w)),
          slots: Object.entries(says).map(([name, said]): SlotReading => {
            const slot = { path: [name], needed: false, type: 'string', choices: [] };
            const base = { slot, words: [] as Words[], choices: [] as JsonValue[], sure: 1 };
            if (typeof said === 'string')
              return { ...base, kind: 'words', words: [at(request, said)] };
            if ('choice' in said) return { ...base, kind: 'choice', choices: [said.choice] };
            if ('yes' in said) return { ...base, kind: said.yes ? 'yes' : 'no' };
            return { ...base, kind: 'result', words: [at(request, said.result)] };
          }),
        })),
    };
  };

const tool = (
  name: string,
  description: string,
  properties: JsonObject,
  required: string[] = [],
): CompactTool => ({
  name,
  description,
  parameters: { type: 'object', properties, required },
});
const shop = [
  tool('find_seats', 'Find free seats.', {
    day: { type: 'string', description: 'YYYY-MM-DD' },
    count: { type: 'integer' },
    row: { type: 'string', enum: ['front', 'back'] },
    aisle: { type: 'boolean' },
  }),
  tool('hold_seat', 'Hold a seat.', { seat_id: { type: 'string' } }, ['seat_id']),
  tool('release_seat', 'Release a held seat.', { seat_id: { type: 'string' } }, ['seat_id']),
];
const askUser = tool('ask_user', 'Ask.', { question: { type: 'string' } });
const facts = { date: 'Monday 2026-11-30', time: '09:00' };

async function reply(read: Read, tools: CompactTool[], ask: string, ...after: ChatMessage[]) {
  const messages: ChatMessage[] = [{ role: 'user', content: ask }, ...after];
  const engine = createInstant({ read });
  let text = '';
  for await (const chunk of engine.generate(
    { system: '', messages, tools, facts, maxTokens: 500 },
    new AbortController().signal,
  ))
    if (chunk.kind === 'text') text += chunk.text;
  return JSON.parse(text) as { type: string; name?: string; arguments?: JsonObject; text?: string };
}
const called = (name: string, args: JsonObject, content: string): ChatMessage[] => [
  { role: 'assistant', content: '', calls: [{ callId: name, name, arguments: args }] },
  { role: 'tool', callId: name, name, content },
];

describe('what was read becomes a call', () => {
  test('words become dates and numbers, choices and yes stay what they are', async () => {
    const ask = 'three near the stage for this friday, on the aisle if you can';
    const read = told({
      [ask]: [
        {
          tool: 'find_seats',
          says: {
            day: 'this friday',
            count: 'three',
            row: { choice: 'front' },
            aisle: { yes: true },
          },
        },
      ],
    });
    expect(await reply(read, shop, ask)).toMatchObject({
      name: 'find_seats',
      arguments: { day: '2026-12-04', count: 3, row: 'front', aisle: true },
    });
  });

  test('a choice the argument does not have is not passed on', async () => {
    const ask = 'seats in the middle';
    const read = told({ [ask]: [{ tool: 'find_seats', says: { row: { choice: 'middle' } } }] });
    expect(await reply(read, shop, ask)).toMatchObject({ name: 'find_seats', arguments: {} });
  });

  test('a condition that reached no argument is named with the answer', async () => {
    const ask = 'seats with a view';
    const read = told({ [ask]: [{ tool: 'find_seats', left: ['with a view'] }] });
    const found = called('find_seats', {}, '[{"id":"s1","name":"A1"}]');
    expect((await reply(read, shop, ask, ...found)).text).toContain('“with a view”');
  });

  test('a number the reader overlooked is named too', async () => {
    const ask = 'seats for under 40';
    const read = told({ [ask]: [{ tool: 'find_seats' }] });
    const found = called('find_seats', {}, '[{"id":"s1","name":"A1"}]');
    expect((await reply(read, shop, ask, ...found)).text).toContain('40');
  });

  test('before a change it is asked, once', async () => {
    const ask = 'hold s1 until noon';
    const read = told({
      [ask]: [{ tool: 'hold_seat', says: { seat_id: 's1' }, left: ['until noon'] }],
    });
    const tools = [...shop, askUser];
    const asked = await reply(read, tools, ask);
    expect(asked).toMatchObject({ name: 'ask_user' });
    expect(asked.arguments?.['question']).toContain('until noon');
    const answer = (content: string): ChatMessage[] => [
      {
        role: 'assistant',
        content: '',
        calls: [{ callId: 'q', name: 'ask_user', arguments: asked.arguments ?? {} }],
      },
      { role: 'tool', callId: 'q', name: 'ask_user', content },
    ];
    expect(await reply(read, tools, ask, ...answer('Go on without it'))).toMatchObject({
      name: 'hold_seat',
      arguments: { seat_id: 's1' },
    });
    expect(await reply(read, tools, ask, ...answer('Leave it'))).toMatchObject({ type: 'message' });
  });

  test('nothing that serves it: nothing is called', async () => {
    const ask = 'what is the weather';
    const read = told({ [ask]: [{ tool: 'find_seats', score: -2 }] });
    expect(await reply(read, shop, ask)).toMatchObject({ type: 'message' });
  });

  test('deeds are done in order, each from its part', async () => {
    const ask = 'release s1 and hold s2';
    const read = told(
      {
        [ask]: [{ tool: 'hold_seat' }, { tool: 'release_seat' }],
        'release s1': [{ tool: 'release_seat', says: { seat_id: 's1' } }],
        'hold s2': [{ tool: 'hold_seat', says: { seat_id: 's2' } }],
      },
      { [ask]: ['and hold'] },
    );
    const first = { name: 'release_seat', arguments: { seat_id: 's1' } };
    expect(await reply(read, shop, ask)).toMatchObject(first);
    const done = called('release_seat', { seat_id: 's1' }, 'Released.');
    expect(await reply(read, shop, ask, ...done)).toMatchObject({
      name: 'hold_seat',
      arguments: { seat_id: 's2' },
    });
  });

  test('what served a part has served it, though its tool left the page and another like it came', async () => {
    const ask = 'release s1';
    const read = told({
      [ask]: [
        { tool: 'release_seat', score: 4, says: { seat_id: 's1' } },
        { tool: 'hold_seat', score: 2, says: { seat_id: 's1' } },
      ],
    });
    const engine = createInstant({ read });
    const step = async (tools: CompactTool[], messages: ChatMessage[]) => {
      let text = '';
      for await (const chunk of engine.generate(
        { system: '', messages, tools, facts, maxTokens: 500 },
        new AbortController().signal,
      ))
        if (chunk.kind === 'text') text += chunk.text;
      return JSON.parse(text) as { type: string; name?: string };
    };
    const said: ChatMessage[] = [{ role: 'user', content: ask }];
    expect(await step(shop, said)).toMatchObject({ name: 'release_seat' });
    const left = shop.filter((t) => t.name !== 'release_seat');
    const done = called('release_seat', { seat_id: 's1' }, 'Released.');
    expect(await step(left, [...said, ...done])).toMatchObject({ type: 'message' });
  });

  test('where reading fails the words are matched, and the answer says so', async () => {
    const broken: Read = () => Promise.reject(new Error('no memory'));
    const found = called('find_seats', {}, '[{"id":"s1","name":"A1"}]');
    expect(await reply(broken, shop, 'find free seats')).toMatchObject({ name: 'find_seats' });
    expect((await reply(broken, shop, 'find free seats', ...found)).text).toContain('no memory');
  });
});
