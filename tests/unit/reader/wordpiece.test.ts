import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWordPieces } from '../../../lib/reader/wordpiece';

const vocabulary = ['[PAD]', ...Array.from({ length: 99 }, (_, i) => `[unused${i}]`), '[UNK]'];
vocabulary.push('trail', 'cap', '##s', '##per', 'cafe', ',', '2', '東', '京', "'");
const cut = createWordPieces(vocabulary);
const words = (text: string) =>
  cut(text).map((p) => [vocabulary[p.id], text.slice(p.start, p.end)]);

describe('word pieces', () => {
  test('words are lowered and cut into the longest known pieces', () => {
    expect(words('Trail CAPS')).toEqual([
      ['trail', 'Trail'],
      ['cap', 'CAP'],
      ['##s', 'S'],
    ]);
  });

  test('accents are dropped, the characters they stand for are kept', () => {
    expect(words('café')).toEqual([['cafe', 'café']]);
    expect(words('cafe\u0301, 2')).toEqual([
      ['cafe', 'cafe\u0301'.slice(0, 4)],
      [',', ','],
      ['2', '2'],
    ]);
  });

  test('punctuation and ideographs stand alone', () => {
    expect(words('cap,cap 東京')).toEqual([
      ['cap', 'cap'],
      [',', ','],
      ['cap', 'cap'],
      ['東', '東'],
      ['京', '京'],
    ]);
  });

  test('a word without known pieces is one unknown', () => {
    expect(words('capxyz')).toEqual([['[UNK]', 'capxyz']]);
  });

  test('any text: pieces stand in order, inside the text, and never throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        let last = 0;
        for (const piece of cut(text)) {
          expect(piece.start).toBeGreaterThanOrEqual(last === 0 ? 0 : last - 1);
          expect(piece.end).toBeGreaterThan(piece.start);
          expect(piece.end).toBeLessThanOrEqual(text.length);
          last = piece.end;
        }
      }),
    );
  });
});
