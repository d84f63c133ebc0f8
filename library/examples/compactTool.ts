import { compactTool } from 'pagehand/tools';

const tool = compactTool({ name: 'get_cart', title: 'Cart', description: 'What is in the cart.' });
console.log(tool);
// → {"name":"get_cart","description":"What is in the cart.","parameters":{"type":"object","properties":{}}}
