import { validateArgs } from 'pagehand/tools';

const schema = {
  type: 'object',
  properties: { qty: { type: 'integer', minimum: 1 } },
  required: ['qty'],
};
console.log(validateArgs(schema, { qty: 0 }));
// → "qty" must be at least 1.
console.log(validateArgs(schema, {}));
// → Missing required argument "qty".
console.log(validateArgs(schema, { qty: 2 }));
// → null
