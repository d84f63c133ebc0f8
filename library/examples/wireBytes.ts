import { wireBytes } from 'pagehand/tools';

console.log(
  wireBytes([{ name: 'get_cart', description: 'Read the cart.', parameters: { type: 'object' } }]),
);
// → 83
