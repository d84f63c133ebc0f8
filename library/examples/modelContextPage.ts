import { modelContextPage } from 'pagehand/agent';

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

const page = modelContextPage(modelContext, { url: 'https://shop.example/', title: 'Shop' });
const { tools } = await page.collect(new AbortController().signal);
console.log(tools[0]?.name, tools[0]?.annotations);
// → get_opening_hours {"readOnlyHint":true}
