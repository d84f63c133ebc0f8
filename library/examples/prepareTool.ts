import { prepareTool, THIRD_PARTY } from 'pagehand/tools';

const declared = {
  name: 'get_cart',
  description: 'Read the cart.',
  schema: { type: 'object', properties: {} },
};
console.log(prepareTool(declared, { compaction: THIRD_PARTY }).rung);
// → whole
