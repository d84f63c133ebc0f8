import { pFormatSignature } from 'pagehand/tools';

const tool = {
  name: 'read_file',
  description: 'Read a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, limit: { type: 'integer' } },
    required: ['path'],
  },
};

console.log(pFormatSignature(tool));
// → read_file[0|<path>|1|<limit>]
