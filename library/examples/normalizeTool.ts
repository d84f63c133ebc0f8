import { normalizeTool } from 'pagehand/router';

console.log(normalizeTool({ name: 'get_cart', inputSchema: { type: 'object' } }).id);
// → get_cart
