import { createToolRouter } from 'pagehand/router';

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

const router = createToolRouter(tools);
const routed = router.route('Open an issue for the checkout regression', { maxTools: 1 });
// The original definition, by reference.
console.log(routed.tools[0] === tools[0]);
// → true
console.log(router.search('post the release note in Slack', { limit: 1 })[0]?.name);
// → slack_send_message
router.remove('github_create_issue');
console.log(router.list().length);
// → 1
