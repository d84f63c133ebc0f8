import { resolveRefs } from 'pagehand/tools';

console.log(
  resolveRefs({ properties: { a: { $ref: '#/$defs/id' } }, $defs: { id: { type: 'integer' } } }),
);
// → {"properties":{"a":{"type":"integer"}}}
