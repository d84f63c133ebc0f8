import { compactSchema } from 'pagehand/tools';

console.log(
  compactSchema({
    type: 'object',
    title: 'Size',
    properties: { size: { enum: ['S', 'M'], default: 'S' } },
  }),
);
// → {"type":"object","properties":{"size":{"enum":["S","M"]}}}
