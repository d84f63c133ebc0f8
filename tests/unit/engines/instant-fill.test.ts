import { describe, expect, test } from 'vitest';
import { argumentsOf, fill } from '../../../lib/engines/instant/fill';
import { knownOf } from '../../../lib/engines/instant/known';
import type { JsonObject } from '../../../lib/tools/tool';

const clock = { now: new Date(2026, 10, 30, 9), timeZone: 'Europe/Berlin' };

/** What the words give a tool with these arguments. */
function read(ask: string, properties: JsonObject, name = 'do_thing', description = 'Does it.') {
  const parameters = { type: 'object', properties, required: Object.keys(properties) };
  const [known] = knownOf([{ name, description, parameters }]);
  if (!known) throw new Error('no tool');
  return argumentsOf(fill(known, ask, clock).values);
}
const text = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const date = { type: 'string', description: 'YYYY-MM-DD' };
const time = { type: 'string', description: 'HH:MM' };

describe('numbers', () => {
  test.each([
    ['add 3 of them', 3],
    ['add three of them', 3],
    ['add twenty five of them', 25],
    ['add two hundred and ten of them', 210],
    ['add a dozen of them', 12],
    ['add a couple of them', 2],
    ['add a mug', 1],
    ['add 1,200 of them', 1200],
  ])('%s', (ask, quantity) => {
    expect(read(ask, { quantity: integer }, 'add_to_cart')).toEqual({ quantity });
  });

  test('the noun behind a number says which argument it is', () => {
    expect(read('for 2 adults and 3 children', { children: integer, adults: integer })).toEqual({
      adults: 2,
      children: 3,
    });
    expect(read('3 nights for two people', { guests: integer, nights: integer })).toEqual({
      guests: 2,
      nights: 3,
    });
  });

  test.each([
    ['under $120', { max_price: 120 }],
    ['for at most 120 euros', { max_price: 120 }],
    ['120 or less', { max_price: 120 }],
    ['at least 50 dollars', { min_price: 50 }],
    ['between 50 and 120', { min_price: 50, max_price: 120 }],
    ['from $50 to $120', { min_price: 50, max_price: 120 }],
    ['over 1.5k', { min_price: 1500 }],
  ])('bounds: %s', (ask, args) => {
    expect(read(ask, { min_price: number, max_price: number })).toEqual(args);
  });

  test('money is no quantity, and a price is no count of people', () => {
    expect(read('add it for 30 euros', { quantity: integer }, 'add_to_cart')).toEqual({});
    expect(read('book a table', { guests: integer }, 'book_table')).toEqual({});
  });

  test('a fraction does not go where a whole number belongs', () => {
    expect(read('set it to 19.5', { level: integer })).toEqual({});
    expect(read('set it to 19.5', { temperature: number })).toEqual({ temperature: 19.5 });
  });
});

describe('dates and times', () => {
  test.each([
    ['tomorrow', '2026-12-01'],
    ['on Friday', '2026-12-04'],
    ['on the 14th', '2026-12-14'],
    ['on 3 December', '2026-12-03'],
    ['in two weeks', '2026-12-14'],
    ['on 24.12.2026', '2026-12-24'],
    ['2027-02-03', '2027-02-03'],
  ])('%s', (ask, day) => {
    expect(read(`do it ${ask}`, { date })).toEqual({ date: day });
  });

  test.each([
    ['at 7pm', '19:00'],
    ['at half past ten in the evening', '22:30'],
    ['at quarter to five', '04:45'],
    ['at seven in the morning', '07:00'],
    ['at noon', '12:00'],
    ['at 14:30', '14:30'],
  ])('%s', (ask, at) => {
    expect(read(`do it ${ask}`, { time })).toEqual({ time: at });
  });

  test('a start and an end', () => {
    const stay = { check_in: date, check_out: date };
    const nights = { check_in: '2026-12-18', check_out: '2026-12-20' };
    expect(read('from 18 to 20 December', stay)).toEqual(nights);
    expect(read('from December 18 for 2 nights', stay)).toEqual(nights);
    expect(read('arriving December 18, leaving December 20', stay)).toEqual(nights);
  });

  test('a period is two days where two are asked for', () => {
    const range = { from_date: date, to_date: date };
    expect(read('payments this month', range)).toEqual({
      from_date: '2026-11-01',
      to_date: '2026-11-30',
    });
    expect(read('payments last week', range)).toEqual({
      from_date: '2026-11-23',
      to_date: '2026-11-29',
    });
  });

  test('since looks back', () => {
    expect(read('results since October 1', { since: date })).toEqual({ since: '2026-10-01' });
    expect(read('since last Monday', { since: date })).toEqual({ since: '2026-11-23' });
  });

  test('a day and a time make a moment, with the offset of the zone', () => {
    const starts_at = { type: 'string', description: 'Date and time, ISO 8601' };
    expect(read('tomorrow at 19:00', { starts_at })).toEqual({
      starts_at: '2026-12-01T19:00:00+01:00',
    });
    expect(read('tomorrow', { starts_at })).toEqual({});
  });

  test('only a month or a bare number is no date', () => {
    expect(read('in December', { date })).toEqual({});
    expect(read('for 4', { date })).toEqual({});
  });
});

describe('choices and yes or no', () => {
  const sort = { type: 'string', enum: ['relevance', 'price_asc', 'price_desc', 'newest'] };
  const size = { type: 'string', enum: ['S', 'M', 'L', 'XL'] };

  test.each([
    ['cheapest first', 'price_asc'],
    ['most expensive first', 'price_desc'],
    ['newest first', 'newest'],
  ])('%s', (ask, choice) => {
    expect(read(`show caps, ${ask}`, { sort })).toEqual({ sort: choice });
  });

  test('own words, other words, two words, a typing error', () => {
    expect(read('in size L', { size })).toEqual({ size: 'L' });
    expect(read('in large', { size })).toEqual({ size: 'L' });
    const room = { type: 'string', enum: ['living_room', 'kitchen'] };
    expect(read('in the living room', { room })).toEqual({ room: 'living_room' });
    expect(read('in the kitchn', { room })).toEqual({ room: 'kitchen' });
  });

  test('what is ruled out is not chosen', () => {
    const color = { type: 'string', enum: ['red', 'blue'] };
    expect(read('not the red one', { color })).toEqual({});
    expect(read('blue, not red', { color })).toEqual({ color: 'blue' });
  });

  test('of two arguments with the same choices, the preposition decides', () => {
    const account = { type: 'string', enum: ['checking', 'savings'] };
    expect(
      read('from savings to checking', { from_account: account, to_account: account }),
    ).toEqual({ from_account: 'savings', to_account: 'checking' });
  });

  test.each([
    ['turn it on', { on: true }],
    ['switch it off', { on: false }],
    ['put the light on', { on: true }],
  ])('%s', (ask, args) => {
    expect(read(ask, { on: { type: 'boolean' } })).toEqual(args);
  });

  test('with and without', () => {
    const breakfast = { type: 'boolean' };
    expect(read('with breakfast', { breakfast })).toEqual({ breakfast: true });
    expect(read('without breakfast', { breakfast })).toEqual({ breakfast: false });
    expect(read('a quiet room', { breakfast })).toEqual({});
  });

  test('the description says which word switches it on', () => {
    const locked = { type: 'boolean', description: 'true to lock' };
    expect(read('lock the door', { locked })).toEqual({ locked: true });
    expect(read('unlock the door', { locked })).toEqual({ locked: false });
  });
});

describe('texts', () => {
  test('quoted words go where the words before them say', () => {
    expect(
      read('create a page titled "Trip" with the text "We go north."', { title: text, body: text }),
    ).toEqual({ title: 'Trip', body: 'We go north.' });
  });

  test('named arguments', () => {
    expect(
      read('write to them, subject: Lunch, body: At noon?', { subject: text, body: text }),
    ).toEqual({ subject: 'Lunch', body: 'At noon?' });
  });

  test('prepositions', () => {
    expect(read('fly from Oslo to Rome', { origin: text, destination: text })).toEqual({
      origin: 'Oslo',
      destination: 'Rome',
    });
    expect(
      read('flights Oslo to Rome', { origin: text, destination: text }, 'find_flights'),
    ).toEqual({ origin: 'Oslo', destination: 'Rome' });
  });

  test('what is left over is the query', () => {
    expect(
      read(
        'please search the catalogue for red mugs',
        { query: text },
        'search_products',
        'Search the catalogue.',
      ),
    ).toEqual({ query: 'red mugs' });
    expect(read('how much is the wool beanie?', { query: text }, 'search_products')).toEqual({
      query: 'wool beanie',
    });
  });

  test('a list', () => {
    const items = { type: 'array', items: text };
    expect(read('put milk, eggs and flour on my list', { items }, 'add_to_list')).toEqual({
      items: ['milk', 'eggs', 'flour'],
    });
  });

  test('addresses, links, codes', () => {
    expect(read('invite ann@x.example', { email: text })).toEqual({ email: 'ann@x.example' });
    expect(read('open https://x.example/a?b=1.', { url: text })).toEqual({
      url: 'https://x.example/a?b=1',
    });
    expect(read('where is order SO-1042', { order_id: text })).toEqual({ order_id: 'SO-1042' });
    expect(read('move card 34', { card_id: integer })).toEqual({ card_id: 34 });
    expect(
      read('order for Ann Berg, Torstr. 5, 10119 Berlin', {
        name: { ...text, description: 'Full name of the recipient' },
        address: text,
      }),
    ).toEqual({ name: 'Ann Berg', address: 'Torstr. 5, 10119 Berlin' });
  });

  test('nothing is made up for what is not said', () => {
    expect(
      read('do it', {
        name: text,
        email: text,
        date,
        quantity: integer,
        size: { type: 'string', enum: ['S', 'M'] },
        order_id: text,
        gift: { type: 'boolean' },
      }),
    ).toEqual({});
  });

  test('arguments inside an object', () => {
    const guest = { type: 'object', properties: { email: text }, required: ['email'] };
    expect(read('invite ann@x.example', { guest })).toEqual({ guest: { email: 'ann@x.example' } });
  });
});
