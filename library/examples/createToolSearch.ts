import { createToolRouter, createToolSearch } from 'pagehand/router';

const tools = [
  {
    type: 'function',
    name: 'github_create_issue',
    description: 'Create a GitHub issue in a repository.',
    parameters: { type: 'object', properties: { title: { type: 'string' } } },
  },
  {
    type: 'function',
    name: 'slack_send_message',
    description: 'Send a message to a Slack channel.',
    parameters: { type: 'object', properties: { channel: { type: 'string' } } },
  },
];

const discovery = createToolSearch(createToolRouter(tools), { target: 'mcp', limit: 1 });
console.log(discovery.execute({ query: 'send a message' }).tools.map(({ name }) => name));
// → ["slack_send_message"]
