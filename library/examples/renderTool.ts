import { renderTool } from 'pagehand/tools';

const tool = {
  name: 'read_file',
  description: 'Read a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['path'],
  },
};

console.log(renderTool('typescript', tool));
// → read_file({path: string, limit?: integer}): Read a file.
