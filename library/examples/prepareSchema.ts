import { prepareSchema } from 'pagehand/tools';

const schema = {
  type: 'object',
  properties: { size: { $ref: '#/$defs/size' } },
  $defs: { size: { enum: ['S', 'M'] } },
};
console.log(prepareSchema(schema, { strategy: 'conservative' }).schema);
// → {"type":"object","properties":{"size":{"enum":["S","M"]}}}
