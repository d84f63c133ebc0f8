import { expect, it } from 'vitest';
import { AgentEvent } from '../../../lib/agent/events';
import { fromJson, toJson, toMarkdown, toTrace } from '../../../lib/host/exporting';

const info = {
  id: 'c',
  title: 'Caps',
  origin: 'https://shop.test',
  createdAt: 0,
  updatedAt: 0,
  turns: 1,
};
const stamp = { at: 1, conversationId: 'c', turnId: 't' };
const tool = { key: 'd/find', name: 'find', origin: 'https://shop.test' };
const events: AgentEvent[] = [
  {
    ...stamp,
    id: '1',
    type: 'turn-started',
    ask: 'My secret wish',
    tabId: 1,
    url: 'https://shop.test/secret',
    engine: 'instant',
  },
  {
    ...stamp,
    id: '2',
    type: 'call-proposed',
    step: 1,
    callId: 'k',
    tool,
    arguments: { card: '4111', n: 2 },
    deferred: false,
    readOnly: true,
    consequential: false,
    fixes: [],
    unsourced: [],
    unchecked: [],
  },
  { ...stamp, id: '3', type: 'call-started', callId: 'k' },
  {
    ...stamp,
    id: '4',
    type: 'call-finished',
    callId: 'k',
    ok: true,
    result: 'a ``` fence',
    shown: 'a ``` fence',
    ms: 3,
    mayHaveRun: true,
  },
  {
    ...stamp,
    id: '5',
    type: 'turn-ended',
    reason: 'answered',
    message: 'Found it.',
    remedies: [],
    steps: 1,
  },
];

it('comes back from JSON as it went out', () => {
  expect(fromJson(toJson(info, events))).toEqual({
    title: 'Caps',
    origin: 'https://shop.test',
    createdAt: 0,
    events,
    skipped: 0,
  });
});

it('says what is wrong with a file that is no conversation, and counts what it skips', () => {
  expect(() => fromJson('{')).toThrow('not JSON');
  expect(() => fromJson('{"format":"other"}')).toThrow('not a Pagehand conversation');
  const damaged = JSON.parse(toJson(info, events));
  damaged.events[1] = { type: 'nonsense' };
  expect(fromJson(JSON.stringify(damaged))).toMatchObject({ skipped: 1 });
});

it('a trace without capture holds no value of the user or the page, but keeps costs and names', () => {
  const trace = toTrace(
    info,
    events,
    { pagehand: '1', browser: 'Chromium', language: 'en' },
    false,
  );
  for (const secret of ['secret', '4111', 'fence', 'Found it']) expect(trace).not.toContain(secret);
  expect(JSON.parse(trace)).toMatchObject({
    redacted: true,
    events: [
      { type: 'turn-started', engine: 'instant' },
      { type: 'call-proposed', tool: { name: 'find' }, arguments: { n: '‹number›' } },
      {},
      { ms: 3, ok: true },
      { reason: 'answered', steps: 1 },
    ],
  });
});

it('a trace under capture holds everything', () => {
  expect(toTrace(info, events, { pagehand: '1', browser: 'x', language: 'en' }, true)).toContain(
    '4111',
  );
});

it('Markdown keeps a result that holds a fence inside its own', () => {
  const text = toMarkdown(info, events);
  expect(text).toContain('## My secret wish');
  expect(text).toContain('````json\na ``` fence\n````');
  expect(text.indexOf('Found it.')).toBeGreaterThan(text.indexOf('fence'));
});

it('a trace without capture keeps the words Pagehand has for a failure, not those that may quote a prompt', () => {
  const failed = (kind: string, message: string): AgentEvent => ({
    type: 'engine-failed',
    id: kind,
    at: 0,
    conversationId: 'c',
    turnId: 't',
    engine: 'wllama',
    kind,
    message,
    remedies: [],
  });
  const asked: AgentEvent = {
    type: 'question-answered',
    id: 'q',
    at: 0,
    conversationId: 'c',
    turnId: 't',
    questionId: 'q',
    answer: { pregnant: true },
  };
  const events = [
    failed('memory', 'The model does not fit.'),
    failed('failed', 'Unexpected token in "my secret"'),
    asked,
  ];
  const trace = toTrace(info, events, { pagehand: '1', browser: 'x', language: 'en' }, false);
  expect(trace).toContain('does not fit');
  expect(trace).not.toContain('secret');
  expect(JSON.parse(trace).events[2].answer).toEqual({ pregnant: '‹yes or no›' });
});

it('a trace without capture hides the values of Pagehand’s sentences, and names a model made up', () => {
  const base = { at: 0, conversationId: 'c', turnId: 't' };
  const said = {
    code: 'tool-unknown',
    values: ['secret', { list: ['secret'], as: 'and' as const }],
  };
  const withSaid: AgentEvent[] = [
    {
      ...base,
      id: '1',
      type: 'turn-ended',
      reason: 'tool-errors',
      message: 'secret',
      said,
      remedies: [],
      steps: 1,
    },
    {
      ...base,
      id: '2',
      type: 'call-invalid',
      callId: 'k',
      name: 'secret',
      arguments: {},
      problems: [{ path: '', message: 'secret', said }],
      message: 'secret',
      said,
    },
    {
      ...base,
      id: '3',
      type: 'reply-problems',
      step: 1,
      errors: ['secret', { text: 'secret', said }],
    },
  ];
  const trace = toTrace(info, withSaid, { pagehand: '1', browser: 'x', language: 'en' }, false);
  expect(trace).not.toContain('secret');
  expect(JSON.parse(trace).events[0].said.code).toBe('tool-unknown');
});

/** What a trace without capture shows of each event: names, codes, counts, costs and times. */
const SHOWN: { [T in AgentEvent['type']]: string[] } = {
  'turn-started': ['tabId', 'engine', 'model', 'byHand', 'after'],
  'turn-queued': ['position', 'busyTabId'],
  'step-started': ['step'],
  'catalog-collected': ['tools', 'appeared', 'vanished', 'ms'],
  'tools-advertised': ['direct', 'deferred', 'schemaBytes'],
  'tools-chosen': ['step', 'offered', 'left', 'budget'],
  'prompt-sent': ['step', 'dialect', 'tokens', 'prefix'],
  text: ['step', 'channel'],
  'model-replied': [
    'step',
    'finish',
    'queueMs',
    'promptTokens',
    'reusedTokens',
    'completionTokens',
    'firstTokenMs',
    'tokensPerSecond',
  ],
  'reply-problems': ['step'],
  'call-proposed': ['step', 'callId', 'deferred', 'readOnly', 'consequential'],
  'call-invalid': ['callId', 'name'],
  'approval-asked': ['callId', 'reason', 'canRemember', 'remembered', 'word'],
  'approval-answered': ['callId', 'decision', 'by', 'remember', 'scope'],
  'call-started': ['callId'],
  'call-finished': ['callId', 'ok', 'ms', 'mayHaveRun'],
  'tool-searched': ['callId', 'matched', 'ranker', 'topConfidence', 'shadowMatched', 'latencyMs'],
  'deferred-tool-call': ['callId', 'toolName'],
  'question-asked': ['questionId'],
  'question-answered': ['questionId'],
  'page-navigated': [],
  notice: ['level'],
  'engine-failed': ['engine', 'kind', 'remedies'],
  'brief-updated': [],
  'turn-ended': ['reason', 'remedies', 'steps'],
};

it.each(AgentEvent.options.map((option) => [option.shape.type.value, option.shape] as const))(
  'a trace shows no field of %s that was not decided to be shown',
  (type, shape) => {
    const fields = Object.keys(shape).filter((key) => !['type', 'said'].includes(key));
    const event = Object.fromEntries(fields.map((key) => [key, `${key} secret`]));
    const told = toTrace(
      info,
      [{ ...event, type, said: { code: 'x', values: ['secret'] } } as unknown as AgentEvent],
      { pagehand: '1', browser: 'x', language: 'en' },
      false,
    );
    const [shown] = JSON.parse(told).events as [Record<string, unknown>];
    const open = fields.filter((key) => shown[key] === `${key} secret`);
    const always = ['id', 'at', 'conversationId', 'turnId'];
    // Its tool is told field by field, see below.
    expect(open.filter((key) => !always.includes(key)).sort()).toEqual([...SHOWN[type]].sort());
  },
);

it('a trace shows of a tool who it is and not what it calls itself', () => {
  const titled = events.map((event) =>
    event.type === 'call-proposed'
      ? { ...event, tool: { ...tool, title: 'my secret title' } }
      : event,
  );
  const told = toTrace(info, titled, { pagehand: '1', browser: 'x', language: 'en' }, false);
  expect(told).not.toContain('secret');
  expect(JSON.parse(told).events[1].tool).toMatchObject(tool);
});

it('a trace hides a field that no version knew when the list was made', () => {
  const later = events.map((event) => ({ ...event, later: { deep: ['secret'] } }));
  const told = toTrace(info, later, { pagehand: '1', browser: 'x', language: 'en' }, false);
  expect(told).not.toContain('secret');
});

it.each([
  ['very many fences', '` '.repeat(400_000)],
  ['one very long fence', '`'.repeat(400_000)],
])('a result of %s is exported like any other', (_, result) => {
  const odd = events.map((event) =>
    event.type === 'call-finished' ? { ...event, result } : event,
  );
  expect(toMarkdown(info, odd)).toContain(result);
});

it('arguments nested as deep as a file allows are exported with a mark', () => {
  const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
  const odd = events.map((event) =>
    event.type === 'call-proposed' ? ({ ...event, arguments: deep } as AgentEvent) : event,
  );
  expect(toMarkdown(info, odd)).toContain('…');
  expect(toJson(info, odd)).toContain('…');
  expect(toTrace(info, odd, { pagehand: '1', browser: 'x', language: 'en' }, true)).toContain('…');
  const hidden = toTrace(info, odd, { pagehand: '1', browser: 'x', language: 'en' }, false);
  expect(hidden).toContain('‹text, 1 characters›');
});
