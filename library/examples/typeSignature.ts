import { typeSignature } from 'pagehand/tools';

const tool = {
  name: 'read_file',
  description: 'Read a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['path'],
  },
};

console.log(typeSignature(tool.parameters));
// → {path: string, limit?: integer}
