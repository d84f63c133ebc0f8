import { detectToolFormat } from 'pagehand/router';

console.log(detectToolFormat({ name: 'get_cart', input_schema: { type: 'object' } }));
// → anthropic
