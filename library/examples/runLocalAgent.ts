import { agentDefaults, createInstant, modelContextPage, runLocalAgent } from 'pagehand/agent';

// Stands for `document.modelContext`.
const modelContext = {
  getTools: async () => [
    {
      name: 'get_opening_hours',
      description: 'Says when the shop is open.',
      inputSchema: '{"type":"object","properties":{}}',
      annotations: { readOnlyHint: true },
    },
  ],
  executeTool: async () => 'Open from 9 to 18.',
};

let answer = '';
await runLocalAgent({
  ...agentDefaults(),
  engine: createInstant(),
  page: modelContextPage(modelContext, { url: 'https://shop.example/', title: 'Shop' }),
  ask: 'When is the shop open?',
  emit: (event) => {
    if (event.type === 'text' && event.channel === 'prose') answer += event.text;
  },
});
console.log(answer);
// → Open from 9 to 18.
