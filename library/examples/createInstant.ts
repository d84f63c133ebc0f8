import { createInstant } from 'pagehand/agent';

const engine = createInstant();
console.log(engine.id, engine.dialect);
// → instant json
