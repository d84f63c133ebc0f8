import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Recipe } from '../../../lib/settings/settings';
import { call, gives, object, runTurn, say, tool } from './scripted';

const folder = new URL('../../../docs/recipes/', import.meta.url);
const read = (name: string) =>
  Recipe.strict().parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
const settings = (recipe: Recipe) => ({
  ranking: 'router' as const,
  capture: false,
  site: () => ({ defer: 'auto' as const, tools: {}, recipe }),
});

describe('the recipes of the documentation', () => {
  it('are valid, every one', () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(names).toContain('shop.json');
    expect(names).toContain('clinic.json');
    for (const name of names) expect(Object.keys(read(name)).length).toBeGreaterThan(0);
  });

  it('lead a model that books too early to the look-up', async () => {
    const slot = object({ slot_id: { type: 'string' } }, ['slot_id']);
    const run = await runTurn({
      ask: 'book the first free slot',
      settings: settings(read('clinic.json')),
      pageTools: [
        tool('find_appointments', { reads: true }),
        tool('book_appointment', { inputSchema: slot }),
        tool('export_audit_log'),
      ],
      outcomes: {
        find_appointments: gives([{ slot_id: 's1', date: '2026-12-01', room: 'SECRET' }]),
      },
      script: [
        {
          tools: ['ask_user', 'book_appointment', 'find_appointments'],
          sees: [
            'Use find_appointments before book_appointment.',
            'opening hours: Monday to Friday 8:00 to 18:00',
          ],
          reply: call('book_appointment', { slot_id: 's1' }),
        },
        {
          sees: ['Use find_appointments before book_appointment.'],
          reply: call('find_appointments'),
        },
        {
          sees: ['slot_id: s1'],
          lacks: ['SECRET'],
          reply: call('book_appointment', { slot_id: 's1' }),
        },
        { reply: say('Booked.') },
      ],
    });
    expect(run.page.calls.map((made) => made.name)).toEqual([
      'find_appointments',
      'book_appointment',
    ]);
  });

  it('cannot fill the prompt with facts', async () => {
    const facts = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [`fact ${n}`, `${'long '.repeat(100)}\nline two`]),
    );
    const run = await runTurn({ settings: settings({ facts }), script: [{ reply: say('x') }] });
    const lines = run.engine.requests[0]?.system
      .split('\n')
      .filter((line) => /^fact \d/.test(line));
    expect(lines).toHaveLength(12);
    expect(lines?.every((line) => line.length < 140)).toBe(true);
  });
});
