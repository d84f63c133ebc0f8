import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DialectId } from '../../../lib/agent/engine';
import {
  add,
  allow,
  anyText,
  call,
  cart,
  deny,
  gives,
  order,
  runTurn,
  say,
  scriptedEngine,
  search,
} from './scripted';

const noise = fc.oneof(
  anyText,
  fc.constantFrom(
    '',
    '<tool_call>',
    '<think>still thinking',
    '{"type":"tool_call"}',
    '{"type":"tool_call","name":"__proto__","arguments":{}}',
    '{"type":"tool_call","name":"constructor","arguments":null}',
    call('view_cart'),
    call('search_products', { query: 'mug' }),
    call('search_products', { query: { deep: [[[]]] } }),
    call('add_to_cart', { slug: 'blue mugs', qty: 1e9 }),
    call('place_order', JSON.parse('{"__proto__":{"x":1}}')),
    call('ask_user', { question: 'Which?' }),
    call('tool_search', {}),
    say('Done.'),
    say(''),
    '{"why":"x","do":"tool","tool":"view_cart","brief":""}',
    '{"why":"x","do":"answer"}',
  ),
);
const outcome = fc.oneof(
  fc.json({ maxDepth: 3 }).map((value) => gives(value)),
  fc.constantFrom(
    gives(null),
    { kind: 'changed' as const },
    { kind: 'changed' as const, tool: { ...cart, description: 'other' } },
    { kind: 'error' as const, message: '', mayHaveRun: true },
    { kind: 'result' as const, value: 'x', navigatedTo: 'not a url', note: { text: 'cut' } },
  ),
);

describe('whatever the model, the page and the user do', () => {
  it('the turn ends once, within its steps, and runs nothing twice or unasked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(noise, { minLength: 14, maxLength: 14 }),
        outcome,
        fc.constantFrom<DialectId>('json', 'hermes', 'liquid', 'p-format'),
        fc.boolean(),
        async (replies, result, dialect, allows) => {
          const engine = scriptedEngine(
            replies.map((reply) => ({ reply })),
            { dialect },
          );
          // The script is longer than any turn: what is left of it is no mistake.
          engine.check = () => {};
          const run = await runTurn({
            engine,
            script: [],
            pageTools: [search, add, cart, order],
            outcomes: Object.fromEntries(
              ['search_products', 'add_to_cart', 'view_cart', 'place_order'].map((name) => [
                name,
                result,
              ]),
            ),
            approve: () => (allows ? allow : deny),
            answer: () => (allows ? 'the blue one' : null),
            settings: {
              ranking: 'seed',
              capture: true,
              site: () => ({ defer: 'auto', tools: {} }),
            },
          });
          expect(run.end.steps).toBeLessThanOrEqual(6);
          expect(run.of('engine-failed')).toEqual([]);
          const changing = run.page.calls.filter((made) => /add|order/.test(made.name));
          expect(new Set(changing.map((made) => JSON.stringify(made))).size).toBe(changing.length);
          if (!allows) expect(changing).toEqual([]);
          expect(Object.prototype).not.toHaveProperty('x');
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});
