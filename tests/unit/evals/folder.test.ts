import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TurnTrace } from '../../../lib/evals/score';
import type { JsonObject, JsonValue } from '../../../lib/tools/tool';
import type { FolderCase } from '../../evals/folder/case';
import { readCasesJson } from '../../evals/folder/cases-json';
import { judgeCase } from '../../evals/folder/judge';
import { matchesValue } from '../../evals/folder/matchers';
import { countsOf, reportOf } from '../../evals/folder/report';
import { readWritten } from '../../evals/folder/written';

const trace = (calls: [string, JsonObject][], rest: Partial<TurnTrace> = {}): TurnTrace => ({
  calls: calls.map(([name, args]) => ({ name, arguments: args, done: true, result: null })),
  invalid: [],
  asked: [],
  text: '',
  end: 'answered',
  steps: 1,
  tokens: 0,
  ms: 0,
  ...rest,
});
const question = { question: 'Which?', missing: ['kite'], callsBefore: 0 };

const properties = { kite: { type: 'string' }, length: { type: 'number' } };
const site = (cases: object[]) =>
  JSON.stringify({
    sites: [
      {
        site: 'kites',
        title: 'Kite Loft',
        tools: [
          { name: 'list_kites', description: 'All kites' },
          { name: 'fly', inputSchema: { type: 'object', properties } },
          { name: 'land' },
        ],
        results: { fly: { $seq: ['up', 'higher'] } },
        cases,
      },
    ],
  });
const one = (expected: unknown, rest: object = {}): FolderCase => {
  const [read] = readCasesJson(
    site([{ id: 'k-1', request: 'fly the red kite', kind: 'value', expected, ...rest }]),
  );
  if (!read) throw new Error('no case');
  return read;
};
const rightness = (of: FolderCase, what: TurnTrace) => {
  const { toolRight, fullyRight } = judgeCase(of, what);
  return [toolRight, fullyRight];
};

describe('matchers', () => {
  const now = new Date('2026-11-30T09:00:00Z');
  test.each<[JsonValue, JsonValue, boolean]>([
    ['Red Kite', ' red  kite.', true],
    ['2', 2, false],
    [2, 2, true],
    ['@tomorrow', '2026-12-01', true],
    [['a', 'b'], ['A', 'b'], true],
    [['a', 'b'], ['b', 'a'], false],
    [{ a: 'x' }, { a: 'X' }, true],
    [{ a: 'x' }, { a: 'x', b: 1 }, false],
    [{ $any: true }, null, true],
    [{ $contains: ['red', 'kite'] }, 'the red kite', true],
    [{ $contains: 'red' }, ['Red', 'blue'], true],
    [{ $contains: ['kite'], $not: ['fly'] }, 'fly a kite', false],
    [{ $not: ['fly'] }, 'kite', true],
    [{ $oneOf: ['a', { $contains: 'b' }] }, 'abc', true],
    [{ $set: ['a', 'b'] }, ['B', 'a'], true],
    [{ $set: ['a', 'b'] }, ['a'], false],
    [{ $num: 2 }, '2', true],
    [{ $pattern: '^r.d$' }, 'red', true],
    [{ $type: 'string' }, '', false],
    [{ $type: 'integer' }, 2, true],
  ])('%j against %j is %s', (expected, got, fits) => {
    expect(matchesValue(expected, got, now)).toBe(fits);
  });

  test('a plain value fits itself and nothing makes a matcher throw', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.json({ maxDepth: 3 }), (text, other) => {
        const plain: JsonValue = JSON.parse(text);
        const fits = matchesValue(plain, plain, now);
        if (!text.includes('"$')) expect(fits).toBe(true);
        expect(typeof matchesValue(plain, JSON.parse(other), now)).toBe('boolean');
      }),
    );
  });
});

describe('cases.json', () => {
  const fly = { tool: 'fly', args: { kite: 'red kite' } };
  const made: [string, JsonObject] = ['fly', { kite: 'Red kite' }];

  test('the expected call is right, a look-up before it is no fault', () => {
    expect(rightness(one([fly]), trace([made]))).toEqual([true, true]);
    expect(rightness(one([fly]), trace([['list_kites', {}], made]))).toEqual([true, true]);
  });

  test('another tool, one too many and one too few are wrong', () => {
    expect(rightness(one([fly]), trace([['land', {}]]))).toEqual([false, false]);
    expect(rightness(one([fly]), trace([made, ['land', {}]]))).toEqual([false, false]);
    expect(rightness(one([fly]), trace([]))).toEqual([false, false]);
  });

  test('a missing, wrong or extra argument leaves the tool right', () => {
    const wrong: JsonObject[] = [{}, { kite: 'blue' }, { kite: 'red kite', length: 3 }];
    for (const args of wrong) {
      expect(rightness(one([fly]), trace([['fly', args]]))).toEqual([true, false]);
    }
  });

  test('unordered, optional and alts', () => {
    const both = { unordered: [fly, { tool: 'land' }] };
    expect(rightness(one(both), trace([['land', {}], made]))).toEqual([true, true]);
    expect(rightness(one([both]), trace([made, ['land', {}]]))).toEqual([true, true]);
    expect(rightness(one([fly, { tool: 'land' }]), trace([['land', {}], made]))).toEqual([
      false,
      false,
    ]);
    const optional = one([fly, { tool: 'land', optional: true }]);
    expect(rightness(optional, trace([made]))).toEqual([true, true]);
    expect(rightness(optional, trace([made, ['land', {}]]))).toEqual([true, true]);
    const alts = one([fly], { alts: [[{ tool: 'land' }]] });
    expect(rightness(alts, trace([['land', {}]]))).toEqual([true, true]);
  });

  test('nothing may be called: a question is not the right refusal', () => {
    expect(rightness(one([]), trace([], { text: 'No tool.' }))).toEqual([true, true]);
    expect(rightness(one([]), trace([], { asked: [question] }))).toEqual([true, false]);
    expect(rightness(one([]), trace([made]))).toEqual([false, false]);
  });

  test('must ask', () => {
    expect(rightness(one('ask'), trace([], { asked: [question] }))).toEqual([true, true]);
    expect(rightness(one('ask'), trace([]))).toEqual([false, false]);
    expect(rightness(one('ask'), trace([made], { asked: [question] }))).toEqual([false, false]);
  });

  test('results come by the count of calls; what was said before goes along', () => {
    const prior = [{ ask: 'which kites?', answer: 'red and blue' }];
    const read = one([fly], { prior, results: { land: 'down' } });
    const { resultOf, before, now } = read.script;
    expect([1, 2, 3].map((nth) => resultOf('fly', nth))).toEqual(['up', 'higher', 'higher']);
    expect([resultOf('land', 1), resultOf('list_kites', 1)]).toEqual(['down', null]);
    expect(before).toEqual([{ ...prior[0], calls: [] }]);
    expect(new Date(now).toISOString()).toBe('2026-11-30T08:00:00.000Z');
  });

  test.each([
    ['not a list', 'maybe', /kites: case k-1: .*expected/s],
    ['a tool that is not there', [{ tool: 'swim' }], /kites: case k-1: .*no tool "swim"/],
    ['an argument that is not there', [{ tool: 'fly', args: { hat: 1 } }], /k-1: .*"hat"/],
    ['an unknown matcher', [{ tool: 'fly', args: { kite: { $like: 1 } } }], /k-1: .*"\$like"/],
    ['a broken pattern', [{ tool: 'fly', args: { kite: { $pattern: '(' } } }], /k-1: .*no pattern/],
  ])('%s is an error that names the case', (_, expected, message) => {
    expect(() => one(expected)).toThrow(message);
  });

  test('an id twice, a case without one and no JSON are told', () => {
    const c = { id: 'a', request: 'x', expected: [] };
    expect(() => readCasesJson(site([c, c]))).toThrow(/two cases .*"a"/);
    expect(() => readCasesJson(site([{ request: 'x', expected: [] }]))).toThrow(/case number 1/);
    expect(() => readCasesJson('{')).toThrow(/no JSON/);
    expect(() => readCasesJson('{}')).toThrow(/sites/);
  });

  test('the table counts by kind and lists faults by id', () => {
    const invented = judgeCase(
      one([fly]),
      trace([['fly', { kite: 'green dragon' }]], { text: 'Done.' }),
    );
    const refused = { ...judgeCase(one([fly]), trace([])), id: 'k-2', kind: 'dates' };
    const counts = countsOf([invented, refused]);
    expect(counts['values']).toMatchObject({ requests: 1, 'right tool': 1, 'invented values': 1 });
    expect(counts['in total']).toMatchObject({ requests: 2, 'refused needlessly': 1 });
    expect(reportOf([invented, refused])).toContain('refused needlessly:\n  k-2');
    expect(reportOf([invented, refused])).toContain('invented values:\n  k-1 kite');
  });
});

const TOOLS = `site: Kite Loft
trade: kites
now: 2026-11-30T09:00
tool {"name":"find_kites","inputSchema":{"type":"object","properties":{"colour":{"type":"string"},"from":{"type":"string"},"tags":{"type":"array"},"box":{"type":"object"}}},"annotations":{"readOnlyHint":true}}
tool {"name":"hire","description":"Hire a kite","inputSchema":{"type":"object","properties":{"id":{"type":"string"},"hours":{"type":"number"}}}}
`;
const written = (body: string) => readWritten('001-kites', `${TOOLS}\n${body}\n`);

describe('written sites', () => {
  test('calls with values, read words, lists, objects and two deeds', () => {
    const [first, second] = written(`? red kites from tomorrow || and hire the k-2 for two hours
> find_kites colour="red" from="2026-12-01"{tomorrow}
> hire hours=2{two} id="k-2"

? anything tagged "a, {b}"
> find_kites tags=["a, {b}"]{a, {b} box={"w":[1]}`);
    expect(first).toMatchObject({
      id: '001-kites:7',
      kind: 'several steps',
      request: 'red kites from tomorrow and hire the k-2 for two hours',
      conditions: [],
    });
    if (first?.expected.type !== 'calls' || second?.expected.type !== 'calls') throw new Error();
    expect(first.expected.calls).toEqual([
      [
        {
          tool: 'find_kites',
          args: { colour: 'red', from: '2026-12-01' },
          words: { from: 'tomorrow' },
        },
      ],
      [{ tool: 'hire', args: { hours: 2, id: 'k-2' }, words: { hours: 'two' } }],
    ]);
    expect(second.expected.calls[0]?.[0]?.args).toEqual({ tags: ['a, {b}'], box: { w: [1] } });
  });

  test('none and ask', () => {
    const [none, ask] = written('? sing\n> none\n\n? hire one for 2 hours\n> ask hire id hours=2');
    expect([none?.expected, none?.kind]).toEqual([{ type: 'none' }, 'must refuse']);
    expect([ask?.expected, ask?.kind]).toEqual([{ type: 'ask', missing: ['id'] }, 'must ask']);
    if (!ask) throw new Error();
    const asked = [{ question: 'Which one?', missing: ['id'], callsBefore: 0 }];
    expect(rightness(ask, trace([], { asked }))).toEqual([true, true]);
    expect(rightness(ask, trace([], { asked: [question] }))).toEqual([true, false]);
  });

  test('earlier turns carry their calls and results, and tools answer the same again', () => {
    const [read] = written(`< which kites?
<> find_kites
<= [{"id":"k-1"},{"id":"k-2"}]
? the second for an hour
> hire id=@"k-2"{the second} hours=1{an}`);
    expect(read?.before).toEqual([
      {
        ask: 'which kites?',
        answer: '',
        calls: [{ name: 'find_kites', arguments: {}, shown: '[{"id":"k-1"},{"id":"k-2"}]' }],
      },
    ]);
    expect(read?.script.before).toBe(read?.before);
    expect(read?.script.resultOf('find_kites', 1)).toBe('[{"id":"k-1"},{"id":"k-2"}]');
    const [fresh] = written('? kites\n> find_kites');
    expect(fresh?.script.resultOf('find_kites', 1)).toEqual([]);
    expect(fresh?.script.resultOf('hire', 1)).toEqual({ ok: true });
  });

  test('conditions must be told', () => {
    const [read] = written('? red kites that whistle\n> find_kites colour="red"\n~ that whistle');
    if (!read) throw new Error();
    const call: [string, JsonObject][] = [['find_kites', { colour: 'red' }]];
    expect(judgeCase(read, trace(call, { text: 'Done.' }))).toMatchObject({
      toolRight: true,
      fullyRight: false,
      dropped: ['that whistle'],
    });
    const text = 'Done, but no argument takes “whistle”.';
    expect(judgeCase(read, trace(call, { text }))).toMatchObject({ fullyRight: true, dropped: [] });
  });

  test.each([
    ['? x\n> swim', /001-kites, line 8: .*no tool "swim"/],
    ['? x\n> hire hat=1', /line 8: hire has no argument "hat"/],
    ['? x\n> hire id', /line 8: argument without value: id/],
    ['? x\n> hire id=@"k-1"', /line 8: id: @ needs/],
    ['? x\n> hire id="k', /line 8: /],
    ['? x\n> ask hire id="k-1"', /line 8: ask: name what is missing/],
    ['? x', /line 7: nothing is expected/],
    ['? x || y\n> hire', /line 7: 2 part\(s\) but 1 call/],
    ['> hire', /line 7: .*belongs to no request/],
    ['? x\nwhat', /line 8: .*begins like no line/],
    ['<= {}', /line 7: there is no "<" line/],
    ['tool {"name":"hire"}', /line 7: the tool "hire" stands twice/],
  ])('%j is an error with its line', (body, message) => {
    expect(() => written(body)).toThrow(message);
  });

  test('whatever the file holds, it is read or refused with the site named', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('? a', '> hire', '> none', '~ a', '< b', '<> hire id="1"', '<= []', ''),
      fc.string().map((text) => `> hire id=${text}`),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        try {
          expect(Array.isArray(written(lines.join('\n')))).toBe(true);
        } catch (error) {
          expect(String(error)).toContain('001-kites, line ');
        }
      }),
    );
  });
});
