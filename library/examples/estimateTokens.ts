import { estimateTokens } from 'pagehand/tools';

console.log(estimateTokens('Add two mugs to the cart.'));
// → 7
