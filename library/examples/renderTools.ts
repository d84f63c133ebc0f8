import { renderTools } from 'pagehand/tools';

const tool = {
  name: 'read_file',
  description: 'Read a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['path'],
  },
};

console.log(renderTools('json', [tool]));
// → <tools>
// → {"name":"read_file","description":"Read a file.","parameters":{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"}},"required":["path"]}}
// → </tools>
