import { expect, test } from 'vitest';
import { exposeTools, type SiteExposure } from '../../../../lib/tools/exposure/rules';
import { modelNames } from '../../../../lib/tools/names';
import type { PageTool } from '../../../../lib/tools/tool';
import { pageTool } from './catalog';

const SITE: SiteExposure = { defer: 'auto', tools: {} };
const exposed = (
  tools: PageTool[],
  site: SiteExposure | ((origin: string) => SiteExposure) = SITE,
) =>
  exposeTools(tools, [], {
    site: typeof site === 'function' ? site : () => site,
    names: modelNames(tools),
  }).map(({ name, exposure, by }) => [name, exposure, by]);

test('a tool nobody spoke about is direct', () => {
  expect(exposed([pageTool('a')])).toEqual([['a', 'direct', 'default']]);
});

test("the site's switch defers or keeps all", () => {
  expect(exposed([pageTool('a')], { ...SITE, defer: 'always' })).toEqual([
    ['a', 'deferred', 'site'],
  ]);
  expect(exposed([pageTool('a')], { ...SITE, defer: 'never' })).toEqual([['a', 'direct', 'site']]);
});

test('the user outranks the recipe, the recipe the switch', () => {
  const site: SiteExposure = {
    defer: 'always',
    tools: { a: 'hidden' },
    recipe: { exposure: { a: 'direct', b: 'direct' } },
  };
  expect(exposed([pageTool('a'), pageTool('b'), pageTool('c')], site)).toEqual([
    ['a', 'hidden', 'user'],
    ['b', 'direct', 'recipe'],
    ['c', 'deferred', 'site'],
  ]);
});

test('a tool for developers and one that cannot be offered stay hidden whatever is set', () => {
  const site: SiteExposure = { defer: 'never', tools: { a: 'direct', b: 'direct' } };
  const tools = [
    pageTool('a', { annotations: { debugging: true } }),
    pageTool('b', { inputSchema: { type: 'array' } }),
  ];
  expect(exposed(tools, site)).toEqual([
    ['a', 'hidden', 'page'],
    ['b', 'hidden', 'schema'],
  ]);
  const [, b] = exposeTools(tools, [], { site: () => site, names: modelNames(tools) });
  expect(b?.reason).toBe('not offered: its schema takes array, not named arguments');
});

test('each tool goes by the rules of the origin that registered it', () => {
  const tools = [pageTool('a'), pageTool('b', { documentId: 'f', origin: 'https://ads.test' })];
  const site = (origin: string): SiteExposure =>
    origin === 'https://ads.test' ? { ...SITE, defer: 'always' } : SITE;
  expect(exposed(tools, site)).toEqual([
    ['a', 'direct', 'default'],
    ['b', 'deferred', 'site'],
  ]);
});

test('names out of Object.prototype are no settings', () => {
  expect(exposed([pageTool('constructor'), pageTool('__proto__')])).toEqual([
    ['constructor', 'direct', 'default'],
    ['__proto__', 'direct', 'default'],
  ]);
});

test("Pagehand's own tools are direct, and no page takes their name", () => {
  const tools = [pageTool('ask_user')];
  const own = [{ key: 'pagehand/ask_user', name: 'ask_user', description: 'Asks the user.' }];
  const names = modelNames(tools, { reserved: new Set(['ask_user']) });
  const entries = exposeTools(tools, own, { site: () => ({ ...SITE, defer: 'always' }), names });
  expect(entries.map(({ name, exposure, by }) => [name, exposure, by])).toEqual([
    ['ask_user', 'direct', 'pagehand'],
    ['ask_user_2', 'deferred', 'site'],
  ]);
});
