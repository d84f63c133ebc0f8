import { describe, expect, test } from 'vitest';
import { createInstant } from '../../../lib/engines/instant';
import { driveCase } from '../../../lib/evals/drive';
import { casesOf, type EvalCase } from '../../../lib/evals/format';
import { matches, scoreCase, type TurnTrace } from '../../../lib/evals/score';
import { read } from '../../evals/reader';
import { readSites } from '../../evals/sites';
import { totalsOf } from '../../evals/totals';

const sites = readSites(new URL('../../evals/cases/', import.meta.url));
const cases = sites.flatMap(casesOf);

function caseOf(id: string): EvalCase {
  const found = cases.find((c) => c.id === id);
  if (!found) throw new Error(`no case ${id}`);
  return found;
}

describe('cases', () => {
  test('twelve sites, at least 120 cases, each with an id of its own', () => {
    expect(sites.length).toBeGreaterThanOrEqual(12);
    expect(cases.length).toBeGreaterThanOrEqual(120);
    expect(new Set(cases.map((c) => c.id)).size).toBe(cases.length);
  });

  test('about a third is held out', () => {
    const share = cases.filter((c) => c.heldOut).length / cases.length;
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.42);
  });

  test('every kind of case is there, worked on and held out', () => {
    for (const tag of ['no-tool', 'negation', 'missing', 'two-step', 'enum', 'dates', 'hostile']) {
      const tagged = cases.filter((c) => c.tags.some((t) => t === tag));
      expect(tagged.length, tag).toBeGreaterThanOrEqual(8);
      expect(
        tagged.some((c) => c.heldOut),
        tag,
      ).toBe(true);
    }
  });
});

describe('scoring', () => {
  const one = caseOf('shop-track');
  const trace = (calls: TurnTrace['calls'], rest: Partial<TurnTrace> = {}): TurnTrace => ({
    calls,
    invalid: [],
    asked: [],
    text: 'Done.',
    end: 'answered',
    steps: 2,
    tokens: 0,
    ms: 0,
    ...rest,
  });
  const track = (args: Record<string, string>) => ({
    name: 'track_order',
    arguments: args,
    done: true,
    result: null,
  });

  test('the expected call is right', () => {
    const score = scoreCase(one, [trace([track({ order_id: 'SO-1042' })])]);
    expect(score).toMatchObject({
      single: true,
      toolRight: true,
      argumentsRight: true,
      right: true,
    });
  });

  test('another tool, a second call or none is wrong', () => {
    const other = { name: 'view_cart', arguments: {}, done: true, result: null };
    expect(scoreCase(one, [trace([other])]).toolRight).toBe(false);
    expect(scoreCase(one, [trace([])]).toolRight).toBe(false);
    const twice = track({ order_id: 'SO-1042' });
    expect(scoreCase(one, [trace([twice, twice])]).toolRight).toBe(false);
  });

  test('a wrong value and an argument too many are wrong; one from nowhere is invented', () => {
    const wrong = scoreCase(one, [trace([track({ order_id: 'SO-9' })])]);
    expect(wrong).toMatchObject({ toolRight: true, argumentsRight: false, invented: ['order_id'] });
    const extra = track({ order_id: 'SO-1042', note: 'x' });
    expect(scoreCase(one, [trace([extra])]).argumentsRight).toBe(false);
  });

  test('a question where none was needed is not right', () => {
    const asked = [{ question: 'Which?', missing: [], callsBefore: 0 }];
    expect(scoreCase(one, [trace([track({ order_id: 'SO-1042' })], { asked })]).right).toBe(false);
  });

  test.each([
    [{ contains: ['trail cap'] }, 'The Trail Cap, red', true],
    [{ contains: ['milk', 'eggs'] }, ['eggs', 'milk'], true],
    [{ contains: ['milk'] }, undefined, false],
    [{ oneOf: ['a', 'b'] }, 'B', true],
    [{ min: 1, max: 3 }, 4, false],
    [{ date: '2026-12-01' }, '2026-12-01T19:00:00+01:00', true],
    [{ time: '19:00' }, '2026-12-01T19:00:00+01:00', true],
    [{ time: '19:00' }, '09:19:00', false],
    ['Mia', 'mia ', true],
    [2, '2', false],
  ])('%j against %j is %s', (matcher, value, fits) => {
    expect(matches(matcher, value)).toBe(fits);
  });
});

describe('instant engine', () => {
  test('with its reader: no forbidden call, no invented value, the right tool', async () => {
    const held = cases.filter((c) => c.heldOut);
    const scores = [];
    for (const one of held)
      scores.push(scoreCase(one, await driveCase(one, createInstant({ read }))));
    const { single, refusals, forbidden, invented } = totalsOf(scores);
    expect(single.tool.right / single.tool.of).toBeGreaterThanOrEqual(0.85);
    expect(single.right.right / single.right.of).toBeGreaterThanOrEqual(0.6);
    expect(refusals.right / refusals.of).toBeGreaterThanOrEqual(0.85);
    expect(forbidden).toBe(0);
    expect(invented).toBe(0);
  }, 120_000);

  test('where the reader cannot be had: reaches what words alone reach on these sites', async () => {
    const scores = [];
    for (const one of cases) scores.push(scoreCase(one, await driveCase(one, createInstant())));
    for (const group of [scores, scores.filter((s) => s.heldOut)]) {
      const { single, refusals, forbidden, invented } = totalsOf(group);
      expect(single.tool.right / single.tool.of).toBeGreaterThanOrEqual(0.85);
      expect(single.right.right / single.right.of).toBeGreaterThanOrEqual(0.75);
      expect(refusals.right / refusals.of).toBeGreaterThanOrEqual(0.85);
      expect(forbidden).toBe(0);
      expect(invented).toBe(0);
    }
  }, 60_000);
});
