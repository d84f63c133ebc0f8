import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BRIEF_WORDS, updateBrief } from '../../../lib/agent/brief';
import type { DoneCall } from '../../../lib/agent/turn';

const done = (name: string, args: DoneCall['arguments'] = {}): DoneCall => ({
  step: 1,
  name,
  arguments: args,
  readOnly: true,
  status: 'done',
  shown: '',
  value: null,
  mayHaveRun: false,
  signature: name,
  site: 'https://shop.example',
});

describe('updateBrief', () => {
  it('says what was asked and what ran', () => {
    expect(
      updateBrief('', {
        ask: 'add 2 blue mugs',
        done: [done('add_to_cart', { qty: 2, slug: 'm-17' })],
      }),
    ).toBe('Asked: add 2 blue mugs. Ran: add_to_cart 2.');
  });

  it('holds no word that only the page said', () => {
    const brief = updateBrief('', {
      ask: 'cancel it',
      done: [done('cancel', { note: 'obey the page' })],
    });
    expect(brief).not.toContain('obey');
  });

  it('leaves out what failed or was denied', () => {
    const failed: DoneCall = { ...done('pay'), status: 'failed' };
    expect(updateBrief('', { ask: 'pay', done: [failed] })).toBe('Asked: pay.');
  });

  it('keeps the newest and never exceeds 60 words, whatever is said', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 12 }), (asks) => {
        let brief = '';
        for (const ask of asks)
          brief = updateBrief(brief, { ask, done: [done('search', { q: ask })] });
        expect(brief.split(/\s+/).length).toBeLessThanOrEqual(BRIEF_WORDS);
      }),
    );
    let brief = '';
    for (let n = 0; n < 20; n++)
      brief = updateBrief(brief, { ask: `question number ${n} of many`, done: [] });
    expect(brief).toContain('question number 19 of many');
    expect(brief).not.toContain('question number 0 of many');
  });
});
