import { toolCost } from 'pagehand/tools';

const tool = {
  name: 'read_file',
  description: 'Read a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['path'],
  },
};

console.log(toolCost(tool, 'typescript', (text) => text.length / 4));
// → {"bytes":167,"tokens":14}
