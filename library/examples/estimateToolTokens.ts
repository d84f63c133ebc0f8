import { estimateToolTokens } from 'pagehand/router';

console.log(estimateToolTokens({ name: 'get_cart', inputSchema: { type: 'object' } }));
// → 13
