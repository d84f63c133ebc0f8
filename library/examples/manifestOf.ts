import { manifestOf } from 'pagehand/tools';

const tools = [{ name: 'get_cart', description: 'Read the cart. Never empty it.' }];
console.log(manifestOf(tools, 100).text);
// → - get_cart: Read the cart
console.log(manifestOf(tools, 4).text);
// → get_cart
