import { argumentNotes } from 'pagehand/tools';

const schema = {
  type: 'object',
  properties: { qty: { type: 'integer', description: 'How many', minimum: 1 } },
};
console.log(argumentNotes(schema));
// → [{"name":"qty","note":"How many; ≥ 1"}]
