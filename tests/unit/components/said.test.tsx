// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Told, tell, tellError, translated } from '../../../components/said';
import { setTexts } from '../../../components/text';
import { WordsError } from '../../../lib/said/said';
import { about, names, say, sentences } from '../../../lib/said/say';
import arabic from '../../../public/_locales/ar/messages.json';
import german from '../../../public/_locales/de/messages.json';
import japanese from '../../../public/_locales/ja/messages.json';
import { speakEnglish } from './english';

afterEach(cleanup);

describe('to a German reader, the host’s words', () => {
  beforeEach(() => setTexts('de', german));

  test('are German, with numbers and sizes as Germans write them', () => {
    expect(tell(say('answer-cut', 1024))).toBe('Die Antwort wurde bei 1.024 Token abgeschnitten.');
    expect(tell(say('memory-needed', { bytes: 1.6e9 }, { bytes: 2e9 }))).toContain('1,6');
  });

  test('count', () => {
    expect(tell(say('tools-dropped', 1, 1000))).toMatch(/^1 Werkzeug wurde/);
    expect(tell(say('tools-dropped', 3, 1000))).toMatch(/^3 Werkzeuge wurden.*1\.000/);
  });

  test('are German through and through: sentences in sentences, lists of names', () => {
    const kind = names([say('type-integer'), say('type-string')], 'or');
    const why = say('argument-type', '"qty"', kind, '"three"');
    const words = say('end-mistakes', sentences([why]), sentences([say('done-nothing')]));
    expect(tell(words)).toBe(
      'Dem Modell gelang kein richtiger Aufruf: "qty" muss vom Typ ganze Zahl oder Text sein, erhalten: "three". Es wurde noch nichts getan.',
    );
  });

  test('quote the page and libraries as they are', () => {
    const words = say('end-tool-failed', 'buy', sentences([{ text: 'Sold out.' }]), '');
    expect(tell(words)).toContain('„buy“ schlug fehl: Sold out.');
  });

  test('of an error are German, too', () => {
    expect(tellError(new WordsError(say('model-at-work')))).toBe(german.said_model_at_work.message);
    expect(tellError(new Error('quota'))).toBe('quota');
  });

  test('are English where nobody has translated them', () => {
    expect(tell('An old sentence.')).toBe('An old sentence.');
    expect(tell({ text: 'New.', said: { code: 'of-a-newer-version', values: [] } })).toBe('New.');
    expect(translated({ text: 'x', said: { code: '__proto__', values: [] } })).toBeUndefined();
  });

  test('may be other words than the model’s', () => {
    const words = about('You have already called it.', say('call-repeated', 'search'));
    expect(tell(words)).toContain('schon mit diesen Argumenten aufgerufen');
  });
});

describe('to an Arabic reader', () => {
  beforeEach(() => setTexts('ar', arabic));

  test('a Latin name in a sentence is kept apart, an Arabic one is not', () => {
    expect(tell(say('call-no-reason', 'search'))).toContain('\u2068search\u2069');
    expect(tell(say('call-no-reason', 'بحث'))).toContain('«بحث»');
  });

  test('words that nobody translated may run the other way', () => {
    const { container } = render(<Told words={{ text: 'Sold out.' }} />);
    expect(container.querySelector('[dir="auto"]')?.textContent).toBe('Sold out.');
    cleanup();
    const told = render(<Told words={say('call-stopped')} />);
    expect(told.container.querySelector('[dir]')).toBeNull();
  });

  test('two has a form of its own', () => {
    const [beginning = ''] = arabic.said_tools_dropped_two.message.split('$1');
    expect(tell(say('tools-dropped', 2, 1000)).startsWith(beginning)).toBe(true);
  });
});

describe('to a Japanese reader', () => {
  beforeEach(() => setTexts('ja', japanese));

  test('a count needs no forms', () => {
    expect(tell(say('tools-dropped', 1, 1000))).toMatch(/^ツール 1 個を除きました/);
  });

  test('sentences and names stand together as Japanese has them', () => {
    const done = say('done-so-far', names(['a', 'b']));
    expect(tell(say('end-step-limit', 6, sentences([done])))).toBe(
      '6 ステップで最終的な回答が出なかったので、止めました。ここまでに行ったこと: a、b。',
    );
  });
});

test('to an English reader nothing changes', () => {
  speakEnglish();
  const words = say('call-timeout', 'search', 120);
  expect(tell(words)).toBe(words.text);
});
