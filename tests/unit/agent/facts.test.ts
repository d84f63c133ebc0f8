import { describe, expect, it } from 'vitest';
import { factsOf, plainAddress } from '../../../lib/agent/facts';

const now = new Date('2026-11-30T23:30:00Z');

describe('factsOf', () => {
  it('tells the moment where the user is, and the page', () => {
    expect(
      factsOf({
        now,
        timeZone: 'Asia/Tokyo',
        language: 'ja-JP',
        title: ' Mugs\n– Shop ',
        url: 'https://shop.example/mugs/blue?session=secret#top',
      }),
    ).toEqual({
      'page title': 'Mugs – Shop',
      'page address': 'https://shop.example/mugs/blue',
      language: 'ja-JP',
      'time zone': 'Asia/Tokyo',
      date: 'Tuesday 2026-12-01',
      time: '08:30',
    });
  });

  it('tells UTC where the time zone is unknown', () => {
    expect(factsOf({ now, timeZone: 'Mars/Base' })).toMatchObject({
      'time zone': 'UTC',
      date: 'Monday 2026-11-30',
    });
  });

  it('cuts and cleans a title that a page made long or invisible', () => {
    const title = factsOf({ now, title: `\u202Ebad${'x'.repeat(500)}` })['page title'] ?? '';
    expect(title.length).toBeLessThanOrEqual(120);
    expect(title.startsWith('bad')).toBe(true);
  });
});

describe('plainAddress', () => {
  it.each([
    ['https://u:p@shop.example:8443/a?q=1', 'https://shop.example:8443/a'],
    ['data:text/html,hi', undefined],
    ['not a url', undefined],
    [undefined, undefined],
  ])('%s → %s', (url, plain) => {
    expect(plainAddress(url)).toBe(plain);
  });
});
