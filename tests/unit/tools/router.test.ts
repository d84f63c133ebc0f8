import { describe, expect, it } from 'vitest';
import { createToolRouter, routeTools } from '../../../lib/tools/router/router';

const object = (properties: Record<string, object>) => ({ type: 'object', properties });
const catalog = () => [
  {
    name: 'repo_create_pull_request',
    namespace: 'repo',
    tags: ['git', 'write'],
    aliases: ['open merge request'],
    description: 'Create a pull request from one branch into another.',
    inputSchema: object({ head: { type: 'string', description: 'Source branch' } }),
  },
  {
    name: 'repo_list_issues',
    namespace: 'repo',
    tags: ['git', 'read'],
    description: 'List open issues of a repository.',
    inputSchema: object({ labels: { type: 'array', items: { type: 'string' } } }),
  },
  {
    name: 'chat_send_message',
    namespace: 'chat',
    tags: ['write'],
    description: 'Send a message to a channel.',
    inputSchema: object({ channel: { type: 'string' }, text: { type: 'string' } }),
  },
  {
    name: 'files_search',
    namespace: 'files',
    tags: ['read'],
    description: 'Search files in the shared folders.',
    inputSchema: object({ query: { type: 'string' }, kind: { enum: ['spreadsheet', 'slides'] } }),
  },
];
const best = (query: string, options = {}) =>
  createToolRouter<{ name: string }>(catalog(), options).search(query)[0]?.name;

describe('search', () => {
  it('finds a tool by its name, description, tags, aliases, arguments and their values', () => {
    expect(best('repo_list_issues')).toBe('repo_list_issues');
    expect(best('a message for the channel')).toBe('chat_send_message');
    expect(best('git read')).toBe('repo_list_issues');
    expect(best('merge request')).toBe('repo_create_pull_request');
    expect(best('source branch')).toBe('repo_create_pull_request');
    expect(best('the spreadsheet')).toBe('files_search');
  });

  it('finds inflected, misspelled and unfinished words', () => {
    expect(best('listing issue')).toBe('repo_list_issues');
    expect(best('mesage in chanel')).toBe('chat_send_message');
    expect(best('spreads')).toBe('files_search');
  });

  it('returns the originals, with the evidence', () => {
    const tools = catalog();
    const [match] = createToolRouter(tools).search('could you send this message please');
    expect(match?.tool).toBe(tools[2]);
    expect(match).toMatchObject({
      id: 'chat:chat_send_message',
      matchedFields: expect.arrayContaining(['description', 'name']),
      matchedTerms: ['message', 'send'],
      queryCoverage: 1,
      pinned: false,
    });
  });
});

describe('route', () => {
  it('puts pinned tools first, whatever the budget, and names unknown ones', () => {
    const result = routeTools(catalog(), 'list issues', {
      maxTools: 2,
      maxEstimatedTokens: 1,
      pinned: ['files_search', 'gone'],
    });
    expect(result.records.map(({ name }) => name)).toEqual(['files_search']);
    expect(result).toMatchObject({ budgetExceeded: true, unknownPinned: ['gone'] });
  });
});
