import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { casesOf, EvalSite } from '../../../lib/evals/format';
import {
  droppedConditions,
  type Heard,
  inventedValues,
  isFalseDone,
  isTold,
} from '../../../lib/evals/measures';
import { scoreCase, type TurnTrace } from '../../../lib/evals/score';
import type { JsonObject } from '../../../lib/tools/tool';

const tools: Heard['tools'] = [
  {
    name: 'find_boats',
    description: 'Find boats for hire.',
    inputSchema: {
      type: 'object',
      properties: {
        harbour: { type: 'string' },
        day: { type: 'string', description: 'YYYY-MM-DD' },
        seats: { type: 'integer' },
        type: { type: 'string', enum: ['sail', 'motor'] },
      },
    },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'hire_boat',
    description: 'Hire a boat.',
    inputSchema: { type: 'object', properties: { boat_id: { type: 'string' } } },
  },
];
const heard = (request: string, rest: Partial<Heard> = {}): Heard => ({
  request,
  before: [],
  answers: [],
  facts: { 'page title': 'Harbour Hire', date: 'Monday 2026-11-30' },
  tools,
  ...rest,
});
const call = (name: string, args: JsonObject, rest: { done?: boolean; result?: string } = {}) => ({
  name,
  arguments: args,
  done: true,
  result: null,
  ...rest,
});
const trace = (calls: TurnTrace['calls'], text: string, asked: TurnTrace['asked'] = []) => ({
  calls,
  invalid: [],
  asked,
  text,
  end: 'answered',
  steps: 1,
  tokens: 0,
  ms: 0,
});

describe('conditions dropped silently', () => {
  const request = 'boats in Aske with a skipper';
  const made = [call('find_boats', { harbour: 'Aske' })];

  test('words that no argument takes and no word tells are one', () => {
    expect(droppedConditions(heard(request), trace(made, 'Done.'), [])).toEqual(['skipper']);
  });

  test('told in the answer or asked about, they are none', () => {
    const told = 'Found 3 boats. I could not narrow them by “with a skipper”.';
    expect(droppedConditions(heard(request), trace(made, told), [])).toEqual([]);
    const asked = [{ question: 'Do you need a skipper?', missing: [], callsBefore: 1 }];
    expect(droppedConditions(heard(request), trace(made, '', asked), [])).toEqual([]);
  });

  test('a number that reached no argument is one', () => {
    const all = droppedConditions(heard('boats in Aske for 14'), trace(made, 'Done.'), []);
    expect(all).toEqual(['14']);
    const taken = [call('find_boats', { harbour: 'Aske', seats: 14 })];
    expect(droppedConditions(heard('boats in Aske for 14'), trace(taken, 'Done.'), [])).toEqual([]);
  });

  test('an expected argument that the call lacks is one, told once', () => {
    const missing = [{ argument: 'type', words: ['sail'] }];
    const h = heard('boats in Aske but only sail');
    expect(droppedConditions(h, trace(made, 'Done.'), missing)).toEqual(['sail']);
    expect(droppedConditions(h, trace(made, 'I left out the type.'), missing)).not.toContain(
      'sail',
    );
  });

  test('conditions that were written down count in place of rules', () => {
    const drop = (text: string) =>
      droppedConditions(heard('cheap boats in Aske'), trace(made, text), [], ['cheap']);
    expect(drop('Done.')).toEqual(['cheap']);
    expect(drop('I cannot tell which are cheap.')).toEqual([]);
  });

  test('a turn that called nothing dropped nothing', () => {
    expect(droppedConditions(heard(request), trace([], 'I cannot.'), [])).toEqual([]);
  });

  test('what an id was looked up by has reached the call', () => {
    const calls = [
      call('find_boats', {}, { result: '[{"id":"b-7","extra":"canopy"}]' }),
      call('hire_boat', { boat_id: 'b-7' }),
    ];
    expect(
      droppedConditions(heard('hire the boat with a canopy'), trace(calls, 'Done.'), []),
    ).toEqual([]);
  });
});

describe('invented values', () => {
  const invented = (request: string, args: JsonObject, rest: Partial<Heard> = {}) =>
    inventedValues(heard(request, rest), trace([call('find_boats', args)], 'Done.'), () => false);

  test('a text that stands nowhere is one', () => {
    expect(invented('boats please', { harbour: 'Rotterdam' })).toEqual(['harbour']);
    expect(invented('boats in rotterdam', { harbour: 'Rotterdam' })).toEqual([]);
  });

  test('a date or number without words for one is one', () => {
    expect(invented('boats in Aske', { day: '2026-12-01' })).toEqual(['day']);
    expect(invented('boats in Aske tomorrow', { day: '2026-12-01' })).toEqual([]);
    expect(invented('boats in Aske', { seats: 4 })).toEqual(['seats']);
    expect(invented('boats in Aske for the four of us', { seats: 4 })).toEqual([]);
  });

  test('choices, earlier words, answers and results are no inventions', () => {
    expect(invented('boats in Aske', { type: 'motor' })).toEqual([]);
    const exchange = { ask: 'is Lorn a harbour?', answer: 'Yes.' };
    expect(invented('boats there', { harbour: 'Lorn' }, { before: [exchange] })).toEqual([]);
    expect(invented('boats', { harbour: 'Lorn' }, { answers: ['Lorn'] })).toEqual([]);
    const calls = [
      call('find_boats', {}, { result: '[{"id":"b-7"}]' }),
      call('hire_boat', { boat_id: 'b-7' }),
    ];
    expect(inventedValues(heard('hire one'), trace(calls, ''), () => false)).toEqual([]);
    expect(inventedValues(heard('hire one'), trace(calls.slice(1), ''), () => false)).toEqual([
      'boat_id',
    ]);
  });

  test('a value that is known to be right is none', () => {
    const t = trace([call('find_boats', { harbour: 'Rotterdam' })], '');
    expect(inventedValues(heard('boats in the big dutch port'), t, () => true)).toEqual([]);
  });
});

describe('false “done”', () => {
  const hire = call('hire_boat', { boat_id: 'b-7' });

  test('a deed told as done that was not made or failed is one', () => {
    expect(isFalseDone(trace([], 'Done: the boat is yours.'), ['hire_boat'])).toBe(true);
    expect(isFalseDone(trace([call('find_boats', {})], 'I have hired it.'), ['hire_boat'])).toBe(
      true,
    );
    expect(isFalseDone(trace([{ ...hire, done: false }], 'All set!'), ['hire_boat'])).toBe(true);
  });

  test('told as it is, it is none', () => {
    expect(isFalseDone(trace([hire], 'Done.'), ['hire_boat'])).toBe(false);
    expect(isFalseDone(trace([], 'I could not hire it.'), ['hire_boat'])).toBe(false);
    expect(
      isFalseDone(trace([hire], 'Done. The second was not hired.'), ['hire_boat', 'hire_boat']),
    ).toBe(false);
    expect(isFalseDone(trace([call('find_boats', {})], 'There are 3 boats.'), ['hire_boat'])).toBe(
      false,
    );
  });

  test('one deed of two told as done is one', () => {
    expect(isFalseDone(trace([hire], 'Done.'), ['hire_boat', 'hire_boat'])).toBe(true);
  });
});

test('a case of a site reports all three', () => {
  const site = EvalSite.parse({
    site: 'harbour',
    about: 'Harbour Hire',
    tools: tools.map((tool) => ({ ...tool })),
    results: {},
    cases: [
      {
        id: 'a',
        ask: 'hire the b-7 with a skipper',
        calls: [{ tool: 'hire_boat', args: { boat_id: 'b-7' } }],
      },
    ],
  });
  const [one] = casesOf(site);
  if (!one) throw new Error('no case');
  const score = (made: TurnTrace) => {
    const { dropped, invented, falseDone } = scoreCase(one, [made]);
    return [dropped.length, invented.length, falseDone.length];
  };
  const right = call('hire_boat', { boat_id: 'b-7' });
  expect(score(trace([right], 'Done, but I cannot book a skipper.'))).toEqual([0, 0, 0]);
  expect(score(trace([right], 'Done.'))).toEqual([1, 0, 0]);
  const other = call('hire_boat', { boat_id: 'zz-top' });
  expect(score(trace([other], 'The skipper of b-7 is not booked.'))).toEqual([0, 1, 0]);
  expect(score(trace([{ ...right, done: false }], 'Done, skipper and all.'))).toEqual([0, 0, 1]);
});

test('words are told when all that mean something are', () => {
  expect(isTold('with the lights off', trace([], 'Nothing here takes “lights”.'))).toBe(true);
  expect(isTold('blue paper', trace([], 'Printed on paper.'))).toBe(false);
});

test('no request, value or answer breaks the measures', () => {
  fc.assert(
    fc.property(fc.string(), fc.json(), fc.string(), (request, json, text) => {
      const args: JsonObject = { harbour: JSON.parse(json) };
      const t = trace([call('find_boats', args)], text);
      expect(Array.isArray(droppedConditions(heard(request), t, []))).toBe(true);
      expect(Array.isArray(inventedValues(heard(request), t, () => false))).toBe(true);
      expect(typeof isFalseDone(t, [])).toBe('boolean');
    }),
  );
});
