import { compactToFit } from 'pagehand/tools';

const text = 'A long story about this argument. '.repeat(20);
const schema = { type: 'object', properties: { q: { type: 'string', description: text } } };
const { rung, bytes } = compactToFit(schema, 100);
console.log(rung, bytes <= 100);
// → all-descriptions true
