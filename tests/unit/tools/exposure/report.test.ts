import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogChanges } from '../../../../lib/tools/exposure/changes';
import { fingerprint } from '../../../../lib/tools/exposure/fingerprint';
import { presentationFor } from '../../../../lib/tools/exposure/presentation';
import { advertisedSurface, entryCost, leftForLog } from '../../../../lib/tools/exposure/report';
import { DEFAULT_SITE } from '../../../../lib/tools/exposure/rules';
import { sameJson } from '../../../../lib/tools/exposure/same';
import { renderTool } from '../../../../lib/tools/render/listing';
import type { JsonValue } from '../../../../lib/tools/tool';
import { choose, object, pageTool } from './catalog';

const q = object({ q: { type: 'string' } });

test('what appeared, vanished and changed is told; the first step has nothing to tell', () => {
  const first = choose({ tools: [pageTool('a'), pageTool('b'), pageTool('c')] });
  expect(first.changes).toEqual({ appeared: [], vanished: [], changed: [] });
  const second = choose({
    tools: [pageTool('b', { inputSchema: q }), pageTool('c'), pageTool('d')],
    previous: first,
  });
  expect(second.changes).toEqual({ appeared: ['d'], vanished: ['a'], changed: ['b'] });
});

test('a reload that brings the same tools changes nothing', () => {
  const names = ['a', 'b'];
  const first = choose({ tools: names.map((name) => pageTool(name)) });
  const again = choose({ tools: names.map((name) => pageTool(name, { documentId: 'later' })) });
  expect(catalogChanges(first.entries, again.entries)).toEqual({
    appeared: [],
    vanished: [],
    changed: [],
  });
});

test('a tool that changes its words or schema is read anew, others are not', () => {
  const first = choose({ tools: [pageTool('a'), pageTool('b', { inputSchema: q })] });
  const [a, b] = first.entries;
  const tools = [
    pageTool('a', { inputSchema: q }),
    pageTool('b', { inputSchema: structuredClone(q) }),
  ];
  const second = choose({ tools, previous: first }).entries;
  expect(second[0]?.schema).toEqual(q);
  expect(second[0]?.print).not.toBe(a?.print);
  expect(second[1]?.schema).toBe(b?.schema);
  const refused = choose({
    tools: [
      pageTool('a', { inputSchema: { type: 'array' } }),
      pageTool('b', { description: 'New.' }),
    ],
    previous: first,
  }).entries;
  expect(refused[0]).toMatchObject({ exposure: 'hidden', by: 'schema' });
  expect(refused[1]?.print).not.toBe(b?.print);
  const still = choose({
    tools: [pageTool('a', { inputSchema: { type: 'array' } })],
    previous: { ...first, entries: refused },
  }).entries;
  expect(still[0]).toMatchObject({ exposure: 'hidden', by: 'schema', reason: refused[0]?.reason });
});

// Through JSON, where -0 is written as 0.
const json = fc
  .jsonValue({ maxDepth: 4 })
  .map((value): JsonValue => JSON.parse(JSON.stringify(value)));

test('values are the same exactly when their JSON is', () => {
  fc.assert(
    fc.property(json, json, (a, b) => {
      const same = JSON.stringify(a) === JSON.stringify(b);
      expect(sameJson(a, structuredClone(a))).toBe(true);
      expect(sameJson(a, b)).toBe(same);
      expect(fingerprint(a) === fingerprint(b)).toBe(same);
    }),
  );
});

test('what is too large to compare counts as different', () => {
  const large = Array.from({ length: 6_000 }, (_, n) => ({ n }));
  expect(sameJson(large, structuredClone(large))).toBe(false);
});

test('the surface a turn starts with: before any budget narrows it, the search not counted', () => {
  const tools = Array.from({ length: 30 }, (_, n) =>
    pageTool(`tool_${String(n).padStart(2, '0')}`),
  );
  const site = () => ({
    ...DEFAULT_SITE,
    tools: { tool_00: 'deferred', tool_01: 'hidden' } as const,
  });
  const choice = choose({ tools, site, max: 3 });
  const surface = advertisedSurface(choice);
  expect(surface).toMatchObject({ direct: 28, deferred: 1 });
  expect(surface.schemaBytes).toBeGreaterThan(choice.budget.schemaBytes);
  for (const exposure of ['direct', 'deferred'] as const) {
    const whole = choose({
      tools: tools.slice(2, 8),
      site: () => ({ ...DEFAULT_SITE, tools: { tool_02: exposure } }),
    });
    expect(advertisedSurface(whole).schemaBytes).toBe(whole.budget.schemaBytes);
  }
});

test('what a tool costs is what its lines cost', () => {
  const [entry] = choose({ tools: [pageTool('a', { inputSchema: q })] }).entries;
  const presentation = presentationFor(4_096, 'typescript');
  const cost =
    entry === undefined ? undefined : entryCost(entry, presentation, (text) => text.length);
  const tool = { name: 'a', description: 'Does a.', parameters: q };
  expect(cost).toEqual({
    bytes: JSON.stringify(tool).length,
    tokens: renderTool('typescript', tool).length,
  });
});

test('the log names a hundred tools that were left and counts the rest by reason', () => {
  const left = Array.from({ length: 250 }, (_, n) => ({
    name: `t${n}`,
    key: `k${n}`,
    why: n % 2 === 0 ? 'hidden' : 'deferred',
  }));
  const logged = leftForLog(left);
  expect(logged).toHaveLength(102);
  expect(logged.slice(100)).toEqual([
    { name: '75 more', key: '', why: 'hidden' },
    { name: '75 more', key: '', why: 'deferred' },
  ]);
  expect(leftForLog(left.slice(0, 100))).toHaveLength(100);
});
