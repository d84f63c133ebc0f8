import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  callNames,
  filterLog,
  groupOf,
  LOG_GROUPS,
  lineOf,
  titleOf,
} from '../../../components/log/describe';
import { proposeModel } from '../../../components/model/propose';
import {
  chooseLanguage,
  direction,
  formatBytes,
  formatDuration,
  formatLanguage,
  formatMemory,
  plural,
  setTexts,
  t,
} from '../../../components/text';
import { asJson } from '../../../components/value/as-json';
import { oneLine } from '../../../components/value/one-line';
import { readable } from '../../../components/value/readable';
import { ENGINES } from '../../../entrypoints/gallery/fixtures/engines';
import {
  APPROVAL,
  DONE,
  ENGINE_FAILED,
  FAILED,
  INVALID,
  LONG,
} from '../../../entrypoints/gallery/fixtures/turns';
import type { EngineDescription } from '../../../lib/agent/engine';
import arabic from '../../../public/_locales/ar/messages.json';
import { speakEnglish } from './english';

const ALL = new Set(LOG_GROUPS);

describe('the log', () => {
  beforeEach(speakEnglish);

  test('every event has a title and a line', () => {
    for (const event of [...DONE, ...APPROVAL, ...FAILED, ...INVALID, ...ENGINE_FAILED]) {
      expect(titleOf(event)).not.toMatch(/^ev[A-Z]/);
      expect(lineOf(event).length).toBeGreaterThan(0);
      expect(lineOf(event).length).toBeLessThanOrEqual(140);
    }
  });

  test('says bytes and tokens of the tools of a step', () => {
    const chosen = DONE.find((event) => event.type === 'tools-chosen');
    expect(chosen && lineOf(chosen)).toBe('4 shown, 1 left out, 2 kB, 448 tokens');
  });

  test('every event of a call names its tool', () => {
    const names = callNames(APPROVAL);
    const asked = APPROVAL.find((event) => event.type === 'approval-asked');
    expect(asked && lineOf(asked, names)).toBe('add_to_cart changes');
    const started = DONE.find((event) => event.type === 'call-started');
    expect(started && lineOf(started, callNames(DONE))).toBe('search_products');
  });

  test('a failed call is a problem, a finished one a call', () => {
    const end = (events: typeof DONE) => events.find((event) => event.type === 'call-finished');
    const good = end(DONE);
    const bad = end(FAILED);
    expect(good && groupOf(good)).toBe('call');
    expect(bad && groupOf(bad)).toBe('problem');
  });

  test('filters by kind and by words anywhere in the event', () => {
    expect(filterLog(LONG, ALL, '')).toHaveLength(2000);
    expect(filterLog(LONG, new Set(['problem']), '')).toHaveLength(100);
    const pieces = filterLog(LONG, ALL, 'LONG041 piece');
    expect(pieces.map(({ type }) => type)).toEqual(Array.from({ length: 12 }, () => 'text'));
    expect(filterLog(LONG, ALL, 'long041')).toHaveLength(20);
    expect(filterLog(DONE, ALL, 'BT-311 call').length).toBeGreaterThan(0);
    expect(filterLog(DONE, new Set(), '')).toEqual([]);
  });
});

describe('values in words', () => {
  test('one line is short, flat and never throws', () => {
    expect(oneLine({ a: [1, { b: 'x\ny' }] })).toBe('a: 1, b: x y');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const line = oneLine(asJson(value), 30);
        expect(line.length).toBeLessThanOrEqual(30);
        expect(line).not.toMatch(/\n/);
      }),
    );
  });

  test('readable text indents, and stays bounded', () => {
    expect(readable({ cart: { total: 3, items: ['cap', null] }, none: [] })).toBe(
      'cart:\n  total: 3\n  items:\n    • cap\n    • –\nnone: –',
    );
    const lines = readable(Array.from({ length: 50_000 }, (_, i) => i)).split('\n');
    expect(lines.length).toBeLessThan(2100);
    let deep: ReturnType<typeof asJson> = 'end';
    for (let i = 0; i < 5000; i++) deep = { deep };
    expect(readable(deep)).toContain('…');
  });
});

describe('texts and numbers', () => {
  beforeEach(speakEnglish);

  test('values are filled in, and dollars stay dollars', () => {
    setTexts('en', { x: { message: 'costs $$5, $1 of $2' } });
    expect(t('x' as never, 'a$1', 'b')).toBe('costs $5, a$1 of b');
  });

  test('counts take the form of the language', () => {
    expect([plural('tools', 1), plural('tools', 2), plural('tools', 1500)]).toEqual([
      '1 tool',
      '2 tools',
      '1,500 tools',
    ]);
    setTexts('ar', arabic);
    const forms = [0, 1, 2, 3, 11, 100].map((count) => plural('tools', count));
    expect(new Set(forms.map((form) => form.replace(/[\d٠-٩,٬]+/g, '#'))).size).toBeGreaterThan(3);
  });

  test('a key without a text shows itself', () => {
    expect(t('nothing' as never)).toBe('nothing');
  });

  test.each([
    [['de-AT', 'en'], 'de'],
    [['pt', 'es-MX'], 'es'],
    [['xx'], 'en'],
    [['__proto__', 'constructor'], 'en'],
    [['ja_JP'], 'ja'],
  ])('of %j it speaks %s', (wanted, language) => {
    expect(chooseLanguage(wanted)).toBe(language);
  });

  test('Arabic is written from right to left', () => {
    expect([direction('ar'), direction('de')]).toEqual(['rtl', 'ltr']);
  });

  test('sizes and times are told as people tell them', () => {
    expect([0, 999, 1500, 984_000_000, 1_810_000_000].map(formatBytes)).toEqual([
      '0 bytes',
      '999 bytes',
      '2 kB',
      '984 MB',
      '1.8 GB',
    ]);
    expect(formatMemory(16 * 2 ** 30)).toBe('16 GB');
    expect([12, 1840, 45_000, 68_000, 3_700_000].map(formatDuration)).toEqual([
      '12ms',
      '1.8s',
      '45s',
      '1m',
      '1h 1m',
    ]);
    expect([formatLanguage('de'), formatLanguage('no such tag')]).toEqual([
      'German',
      'no such tag',
    ]);
  });
});

describe('the model proposed on a machine', () => {
  const only = (id: string, patch: Partial<EngineDescription> = {}): EngineDescription[] =>
    ENGINES.filter((engine) => engine.id === id).map((engine) => ({ ...engine, ...patch }));

  test('is one that is there already, before any download', () => {
    expect(proposeModel(ENGINES)?.model.label).toBe('Qwen3 1.7B');
  });

  test('is the most able that runs and is no unbearable download', () => {
    const fresh = ENGINES.map((engine) => ({
      ...engine,
      models: engine.models.map((model) => ({ ...model, installed: false })),
    }));
    expect(proposeModel(fresh)?.model.label).toBe('Llama 3.2 3B');
  });

  test('is never one that cannot run here', () => {
    const blocked = only('web-llm').map((engine) => ({
      ...engine,
      models: engine.models.map((model) => ({ ...model, blocked: { text: 'no' } })),
    }));
    expect(proposeModel(blocked)).toBeNull();
    expect(proposeModel(only('web-llm', { available: false }))).toBeNull();
    expect(proposeModel(only('instant'))).toBeNull();
  });
});
