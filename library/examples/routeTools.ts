import { routeTools } from 'pagehand/router';

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

console.log(routeTools(tools, 'post in Slack', { maxTools: 1 }).selectedCount);
// → 1
