import { describe, expect, it } from 'vitest';
import { TabClosedError } from '../../../lib/agent/reach-page';
import type { Catalog } from '../../../lib/tools/tool';
import { call, fakePage, runTurn, say, search } from './scripted';

/** A page that cannot be asked for tools, from its nth collecting on. */
function behind(obstacle: Catalog['obstacle'], from = 1) {
  const page = fakePage([search]);
  const { collect } = page;
  let times = 0;
  page.collect = async (signal) => {
    const catalog = await collect(signal);
    return ++times < from ? catalog : { ...catalog, tools: [], obstacle };
  };
  return page;
}

describe('a page that is out of reach', () => {
  it.each([
    { obstacle: 'restricted', reason: 'page-restricted', says: 'ordinary web page' },
    { obstacle: 'reload', reason: 'page-reload', says: 'Reload' },
    { obstacle: 'asleep', reason: 'page-reload', says: 'sleep' },
    { obstacle: 'no-page', reason: 'page-gone', says: 'closed' },
  ] as const)('ends a turn that begins there ($obstacle), in words', async (one) => {
    const run = await runTurn({ page: behind(one.obstacle), script: [] });
    expect(run.end.reason).toBe(one.reason);
    expect(run.end.message).toContain(one.says);
  });

  it('is offered to be loaded again only where that helps', async () => {
    const restricted = await runTurn({ page: behind('restricted'), script: [] });
    expect(restricted.end.remedies).toEqual(['retry']);
    const reload = await runTurn({ page: behind('reload'), script: [] });
    expect(reload.end.remedies).toEqual(['reload-page', 'retry']);
  });

  it('is told of, to the user and the model, where the turn itself led there', async () => {
    const run = await runTurn({
      page: behind('restricted', 2),
      script: [
        { reply: call('search_products', { query: 'mugs' }) },
        { sees: ['page tools: cannot be seen'], reply: call('ask_user', { question: 'Which?' }) },
        { reply: say('Found some.') },
      ],
      answer: () => 'blue',
    });
    expect(run.end.reason).toBe('answered');
    expect(run.of('notice').map(({ level }) => level)).toEqual(['warning']);
  });

  it('is read all the same where the user shared it', async () => {
    const page = behind('reload');
    page.read = async () => 'Mugs are on sale.';
    const run = await runTurn({
      page,
      shared: { text: true },
      script: [{ reply: call('read_page_text') }, { sees: ['on sale'], reply: say('A sale.') }],
    });
    expect(run.end.reason).toBe('answered');
    expect(run.of('notice')).toMatchObject([{ level: 'warning' }]);
  });
});

describe('a tab that sleeps', () => {
  it('is woken, once, and the turn goes on with its tools', async () => {
    const page = fakePage([search]);
    const { collect } = page;
    let woken = 0;
    page.collect = async (signal) => {
      const catalog = await collect(signal);
      return woken ? catalog : { ...catalog, tools: [], obstacle: 'asleep' };
    };
    page.wake = async () => void woken++;
    const run = await runTurn({
      page,
      script: [{ reply: call('search_products', { query: 'mugs' }) }, { reply: say('Found.') }],
    });
    expect(run.end.reason).toBe('answered');
    expect(woken).toBe(1);
    expect(run.of('notice')).toMatchObject([{ level: 'info' }]);
  });

  it('that does not wake ends the turn', async () => {
    const page = behind('asleep');
    page.wake = () => Promise.reject(new Error('No tab with id 1.'));
    const run = await runTurn({ page, script: [] });
    expect(run.end).toMatchObject({ reason: 'page-gone' });
  });
});

it('a turn whose tab is closed says so, with what was done', async () => {
  const stop = new AbortController();
  const run = await runTurn({
    pageTools: [search],
    signal: stop.signal,
    script: [
      { reply: call('search_products', { query: 'mugs' }) },
      { before: () => stop.abort(new TabClosedError()) },
    ],
  });
  expect(run.end.reason).toBe('page-gone');
  expect(run.end.message).toContain('search_products');
});
