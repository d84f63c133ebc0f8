import { describe, expect, it } from 'vitest';
import { createToolRouter } from '../../../lib/tools/router/router';
import { tokenize } from '../../../lib/tools/text/tokenize';
import { routerCatalog as catalog } from './router-catalog';

const names = (query: string, options = {}, searched = {}) =>
  createToolRouter<{ name: string }>(catalog(), options)
    .search(query, searched)
    .map(({ name }) => name);
const best = (query: string, options = {}) => names(query, options)[0];

describe('what is found', () => {
  it('a tool by its name, description, tags, aliases, arguments and their values', () => {
    expect(best('repo_list_issues')).toBe('repo_list_issues');
    expect(best('a message for the channel')).toBe('chat_send_message');
    expect(best('git read')).toBe('repo_list_issues');
    expect(best('fork proposal')).toBe('repo_create_pull_request');
    expect(best('source branch')).toBe('repo_create_pull_request');
    expect(best('the keynote')).toBe('files_search');
  });

  it('inflected, unfinished and misspelled words', () => {
    expect(best('listing issue')).toBe('repo_list_issues');
    expect(best('spreadshe')).toBe('files_search');
    expect(best('mesage in chanel')).toBe('chat_send_message');
    expect(names('mesage', { fuzzy: false })).toEqual([]);
    expect(names('mesage', { minFuzzyLength: 7 })).toEqual([]);
  });

  it('initials of a name, where they are typed in capitals', () => {
    const options = { synonyms: false };
    expect(best('a new PR', options)).toBe('repo_create_pull_request');
    expect(names('pr', options)).toEqual([]);
  });

  it('other words for the same action, and the subject a word points to', () => {
    expect(best('post in chat')).toBe('chat_send_message');
    expect(best('a ticket is broken')).toBe('repo_list_issues');
    expect(best('will I need an umbrella')).toBe('weather_now');
    expect(names('umbrella', { synonyms: false })).toEqual([]);
    expect(best('yodel', { synonyms: { yodel: ['MESSAGE'] } })).toBe('chat_send_message');
  });

  it('the tool that takes what the request names', () => {
    const tools = ['a', 'b'].map((name) => ({ name, description: 'Show the sales.' }));
    const takesDate = { ...tools[1], inputSchema: { properties: { date: {} } } };
    const router = createToolRouter([tools[0], takesDate]);
    expect(router.search('sales')[0]?.name).toBe('a');
    expect(router.search('sales on 2026-03-01')[0]?.name).toBe('b');
  });

  it('a tool for every errand of a request', () => {
    const letters = [
      { name: 'reminder_letter', description: 'Prints the reminder letter of an overdue invoice.' },
      { name: 'letter_archive', description: 'Keeps every overdue letter and invoice.' },
      { name: 'overdue_list', description: 'Overdue invoice by letter.' },
    ];
    const router = createToolRouter<{ name: string }>([...catalog(), ...letters]);
    const place = (request: string) =>
      router.search(request).findIndex(({ name }) => name === 'repo_list_issues');
    const letter = 'print the reminder letter of the overdue invoice';
    expect(place(`${letter} and its issues`)).toBe(3);
    expect(place(`${letter}. And its issues!`)).toBe(1);
  });

  it('a tool called by its name before one that is merely like the request', () => {
    const tools = [
      { name: 'list_files', description: 'Shows a folder.' },
      { name: 'files_run_list', description: 'Run over files, list the files of the run.' },
    ];
    expect(createToolRouter(tools).search('run list files')[0]?.name).toBe('files_run_list');
    expect(createToolRouter(tools).search('run list_files')[0]?.name).toBe('list_files');
  });

  it('nothing for a request without a known word', () => {
    for (const nothing of ['', ' ', 'a I', '???', 'xylophone', 'zzzz qqqq']) {
      expect(names(nothing)).toEqual([]);
    }
  });

  it('a tool that is called by a stop word', () => {
    const router = createToolRouter([{ name: 'help', description: 'Opens the manual.' }]);
    expect(router.search('help')[0]?.name).toBe('help');
  });
});

describe('how it ranks', () => {
  it('the same way every time, ties by name and then id', () => {
    const same = { description: 'shared purpose' };
    const tools = [
      { id: 'z', name: 'beta_x', ...same },
      { id: 'b', name: 'alpha_x', ...same },
      { id: 'a', name: 'alpha_x', ...same },
    ];
    for (const order of [tools, tools.toReversed()]) {
      const found = createToolRouter(order).search('shared purpose');
      expect(found.map(({ id }) => id)).toEqual(['a', 'b', 'z']);
    }
  });

  it('by the weights of the fields', () => {
    const tools = [
      { name: 'x_one', description: 'carrot carrot' },
      { name: 'x_two', tags: ['carrot'] },
    ];
    const first = (fieldWeights: object) =>
      createToolRouter(tools, { fieldWeights }).search('carrot')[0]?.name;
    expect(first({ description: 0 })).toBe('x_two');
    expect(first({ tags: 0 })).toBe('x_one');
    const none = { name: 0, namespace: 0, aliases: 0, tags: 0, description: 0, schema: 0 };
    expect(first(none)).toBeUndefined();
  });

  it('by k1: repeating a word helps little where it is small', () => {
    const tools = [
      { name: 'a', description: `carrot turnip ${'carrot '.repeat(6)}` },
      { name: 'b', description: 'carrot turnip beetroot leek parsnip kale chard cress' },
    ];
    const lead = (k1: number) => {
      const [first, second] = createToolRouter(tools, { k1, b: 0 }).search('carrot');
      return (first?.score ?? 0) / (second?.score ?? 1);
    };
    expect(lead(5)).toBeGreaterThan(lead(0.1));
  });

  it('by b: long texts are held against a tool only where it is not 0', () => {
    const tools = [
      { name: 'a', description: `carrot ${'filler '.repeat(60)}` },
      { name: 'b', description: 'carrot' },
    ];
    const lead = (b: number) => {
      const found = createToolRouter(tools, { b }).search('carrot');
      const of = (name: string) => found.find((match) => match.name === name)?.score ?? 0;
      return of('b') / of('a');
    };
    expect(lead(1)).toBeGreaterThan(lead(0));
  });

  it('by a tokenizer of one’s own, for tools and requests alike', () => {
    const tokenizer = (text: string) => text.split('|').filter((part) => part !== '');
    const router = createToolRouter([{ name: 'a', description: 'The Red|blue' }], { tokenizer });
    expect(router.search('The Red')[0]?.matchedTerms).toEqual(['The Red']);
    expect(router.search('red')).toEqual([]);
    expect(router.options.tokenizer).toBe(tokenizer);
    expect(createToolRouter([]).options.tokenizer).toBe(tokenize);
  });
});

describe('what a search returns', () => {
  it('the originals, with the evidence', () => {
    const tools = catalog();
    const [match] = createToolRouter(tools).search('could you send this message please');
    expect(match?.tool).toBe(tools[2]);
    expect(match?.record.original).toBe(tools[2]);
    expect(match).toMatchObject({
      id: 'chat:chat_send_message',
      matchedFields: expect.arrayContaining(['description', 'name']),
      matchedTerms: ['message', 'send'],
      queryCoverage: 1,
      pinned: false,
    });
    expect(match?.score).toBeGreaterThan(0);
    expect(match?.estimatedTokens).toBe(Math.ceil(JSON.stringify(tools[2]).length / 4));
  });

  it('only tools that pass every filter', () => {
    const search = (options: object) =>
      names('search read list send repository files', {}, options);
    expect(search({ namespaces: 'chat' })).toEqual(['chat_send_message']);
    expect(search({ tags: ['git', 'read'] })).toEqual(['repo_list_issues']);
    expect(search({ tags: 'nothing' })).toEqual([]);
    expect(search({ ids: ['chat:chat_send_message', 'gone'] })).toEqual(['chat_send_message']);
    expect(search({ formats: 'anthropic' })).toEqual([]);
    expect(search({ filter: ({ name }: { name: string }) => name === 'files_search' })).toEqual([
      'files_search',
    ]);
  });

  it('no more than asked for, in number, score and cost', () => {
    const all = createToolRouter(catalog()).search('read', { limit: 10 });
    expect(all.length).toBeGreaterThan(1);
    const search = (options: object) => names('read', {}, options);
    expect(search({ limit: 1 })).toHaveLength(1);
    expect(search({ minScore: 1_000 })).toEqual([]);
    expect(search({ maxEstimatedTokens: 1 })).toEqual([]);
    const smallest = Math.min(...all.map(({ estimatedTokens }) => estimatedTokens));
    const fitting = search({ limit: 10, maxEstimatedTokens: smallest });
    expect(fitting).toHaveLength(1);
  });
});
