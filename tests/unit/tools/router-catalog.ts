const object = (properties: Record<string, object>) => ({ type: 'object', properties });

/** Five tools of a made-up workplace, new objects each time. */
export const routerCatalog = () => [
  {
    name: 'repo_create_pull_request',
    namespace: 'repo',
    tags: ['git', 'write'],
    aliases: ['fork proposal'],
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
    inputSchema: object({ query: { type: 'string' }, kind: { enum: ['spreadsheet', 'keynote'] } }),
  },
  {
    name: 'weather_now',
    namespace: 'weather',
    tags: ['read'],
    description: 'Weather at a place.',
    inputSchema: object({ place: { type: 'string' } }),
  },
];
