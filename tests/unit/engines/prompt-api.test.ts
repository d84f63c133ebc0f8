import { beforeEach, describe, expect, test } from 'vitest';
import type { ChatMessage, Engine } from '../../../lib/agent/engine';
import { createPromptApi } from '../../../lib/engines/prompt-api';
import { beginPromptApiDownload } from '../../../lib/engines/prompt-api/download';
import { load, reply, request } from './fakes/drive';
import { createFakeModel, type FakeModel } from './fakes/language-model';

let model: FakeModel | undefined;
let engine: Engine;
let language: string;
let polls: number;
let onPoll: () => void;
const there = () => model ?? expect.fail('no model');

beforeEach(() => {
  model = createFakeModel();
  language = 'en-GB';
  polls = 0;
  onPoll = () => {};
  let clock = 0;
  engine = createPromptApi({
    languageModel: () => model,
    language: () => language,
    now: () => (clock += 10),
    sleep: async (_, signal) => {
      signal.throwIfAborted();
      polls++;
      onPoll();
    },
  });
});

describe('availability', () => {
  test('a browser without it says what has it', async () => {
    model = undefined;
    expect(await engine.describe()).toMatchObject({
      available: false,
      reason: { text: expect.stringContaining('Chrome 138') },
    });
    expect((await load(engine)).error).toMatchObject({ kind: 'unavailable' });
  });

  test('a machine that is too small says what is needed', async () => {
    there().state = 'unavailable';
    expect(await engine.describe()).toMatchObject({
      available: false,
      reason: { text: expect.stringContaining('22 GB') },
    });
    expect((await load(engine)).error).toMatchObject({ kind: 'unavailable' });
  });

  test('a model that is not there yet wants a click', async () => {
    there().state = 'downloadable';
    const description = await engine.describe();
    expect(description.available).toBe(true);
    expect(description.models[0]?.installed).toBe(false);
    expect((await load(engine)).error).toMatchObject({ kind: 'needs-click' });
    expect(polls).toBe(0);
  });

  test('a download that a click began is waited for', async () => {
    there().state = 'downloading';
    onPoll = () => {
      if (polls === 3) there().state = 'available';
    };
    expect((await load(engine)).error).toBeUndefined();
    expect(polls).toBe(3);
  });

  test('waiting for it can be stopped', async () => {
    there().state = 'downloading';
    const stop = new AbortController();
    onPoll = () => stop.abort();
    expect((await load(engine, undefined, stop.signal)).error?.name).toBe('AbortError');
  });

  test('shows how far Chrome is', async () => {
    const api = there();
    const create = api.create;
    api.create = async (options) => {
      const monitor = new EventTarget();
      options.monitor?.(monitor);
      monitor.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded: 0.34 }));
      return create(options);
    };
    const { progress } = await load(engine);
    expect(progress).toContainEqual({
      phase: 'prepare',
      done: 0.34,
      total: 1,
    });
  });

  test('asks for the language of the user where the model has it', async () => {
    language = 'ja';
    await load(engine);
    expect(there().created[0]?.expectedOutputs).toEqual([
      { type: 'text', languages: ['ja', 'en'] },
    ]);
    language = 'ko';
    await engine.unload();
    await load(engine);
    expect(there().created[1]?.expectedOutputs).toEqual([{ type: 'text', languages: ['en'] }]);
  });

  test('tells the real window once it is loaded', async () => {
    expect(engine.contextWindow).toBe(4096);
    await load(engine);
    expect(engine.contextWindow).toBe(1000);
  });
});

describe('a click in a view', () => {
  const begin = () => beginPromptApiDownload(model, 'en', async () => onPoll());

  test('begins the download, and the host follows it', async () => {
    const api = there();
    api.state = 'downloadable';
    let finish = () => {};
    api.create = () => {
      api.state = 'downloading';
      return new Promise((_, reject) => (finish = () => reject(new Error('never mind'))));
    };
    await begin();
    expect(api.state).toBe('downloading');
    finish();
  });

  test('that Chrome does not take for one ends, so that the host can tell', async () => {
    there().state = 'downloadable';
    await begin();
    expect((await load(engine)).error).toMatchObject({ kind: 'needs-click' });
  });

  test.each(['available', 'downloading', 'unavailable'] as const)(
    'does nothing when it is %s',
    async (state) => {
      there().state = state;
      await begin();
      expect(there().created).toEqual([]);
    },
  );

  test('does nothing without the API', async () => {
    model = undefined;
    await expect(begin()).resolves.toBeUndefined();
  });
});

describe('a reply', () => {
  beforeEach(() => load(engine));

  test('streams, with what was read and written', async () => {
    const { text, end } = await reply(engine, 'hi');
    expect(text).toBe('Hello.');
    expect(end).toMatchObject({
      finish: 'stop',
      usage: { promptTokens: 'Help.hi'.length, reusedTokens: 0, completionTokens: 6 },
    });
  });

  test('of the next step reads only what is new', async () => {
    await reply(engine, 'hi');
    const messages: ChatMessage[] = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'more' },
    ];
    const { end } = await reply(engine, request('', { messages }));
    expect(there().prompts.at(-1)?.input).toEqual([{ role: 'user', content: 'more' }]);
    expect(end?.usage).toMatchObject({ promptTokens: 17, reusedTokens: 13 });
  });

  test('of another conversation keeps the instructions, and nothing else', async () => {
    await reply(engine, 'hi');
    const { end } = await reply(engine, 'something else');
    expect(there().prompts.at(-1)?.input).toEqual([{ role: 'user', content: 'something else' }]);
    expect(end?.usage.reusedTokens).toBe('Help.'.length);
    expect(there().created.length).toBe(2); // the trial at loading, and one for the instructions
  });

  test('with other instructions reads them anew', async () => {
    await reply(engine, 'hi');
    const { end } = await reply(engine, request('hi', { system: 'Sing.' }));
    expect(end?.usage.reusedTokens).toBe(0);
    expect(there().alive.size).toBe(2); // the base and the conversation; the old ones are gone
  });

  test('is constrained by a schema Chrome accepts, which is not written into the prompt', async () => {
    const schema = { oneOf: [{ type: 'string', uniqueItems: true }] };
    await reply(engine, request('hi', { constraint: { kind: 'json', schema } }));
    expect(there().prompts[0]?.options).toMatchObject({ omitResponseConstraintInput: true });
    expect(there().prompts.length).toBe(1);
  });

  test('goes on without the constraint when Chrome refuses it all the same', async () => {
    const api = there();
    const answer = api.answer;
    api.answer = (turns, options) => {
      if (options.responseConstraint) throw new DOMException('no', 'NotSupportedError');
      return answer(turns, options);
    };
    const schema = { type: 'string' };
    const { text } = await reply(engine, request('hi', { constraint: { kind: 'json', schema } }));
    expect(text).toBe('Hello.');
    expect(api.prompts.map((prompt) => 'responseConstraint' in prompt.options)).toEqual([
      true,
      false,
    ]);
  });

  test('that is empty ends without text', async () => {
    there().answer = () => [];
    expect(await reply(engine, 'hi')).toMatchObject({ text: '', end: { finish: 'stop' } });
  });

  test('that never ends is cut at its limit', async () => {
    there().answer = function* () {
      for (;;) yield 'and so on ';
    };
    const { end, text } = await reply(engine, request('hi', { maxTokens: 20 }));
    expect(end?.finish).toBe('length');
    expect(text.length).toBeLessThan(400);
  });

  test('stops three times and goes on, leaving no session behind', async () => {
    for (let i = 0; i < 3; i++) {
      const { text, end } = await reply(engine, 'hi', 1);
      expect(text).toBe('Hel');
      expect(end?.finish).toBe('abort');
    }
    expect(there().alive.size).toBe(1);
    expect((await reply(engine, 'hi')).text).toBe('Hello.');
  });
});

describe('trouble', () => {
  beforeEach(() => load(engine));

  test('a prompt that is too long is refused before Chrome drops turns', async () => {
    const { error } = await reply(engine, 'x'.repeat(2000));
    expect(error).toMatchObject({
      kind: 'window',
      message: expect.stringContaining('2,005 of 1,000'),
    });
    expect(there().prompts).toEqual([]);
    expect((await reply(engine, 'hi')).text).toBe('Hello.');
  });

  test('instructions that are too long are refused as well', async () => {
    const { error } = await reply(engine, request('hi', { system: 'x'.repeat(1500) }));
    expect(error).toMatchObject({
      kind: 'window',
      message: expect.stringContaining('1,500 of 1,000'),
    });
  });

  test('a session that dies under way is said to be lost, and loads again', async () => {
    there().answer = function* () {
      yield 'Hel';
      throw new DOMException('gone', 'InvalidStateError');
    };
    expect(await reply(engine, 'hi')).toMatchObject({
      text: 'Hel',
      error: { kind: 'device-lost' },
    });
    expect((await reply(engine, 'hi')).error).toMatchObject({ kind: 'not-loaded' });
    there().answer = () => ['Back.'];
    await load(engine);
    expect((await reply(engine, 'hi')).text).toBe('Back.');
  });

  test('anything else is told with its words', async () => {
    there().answer = () => {
      throw new DOMException('the moon is full', 'UnknownError');
    };
    expect((await reply(engine, 'hi')).error).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('the moon is full'),
    });
  });
});
