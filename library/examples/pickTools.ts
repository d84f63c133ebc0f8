import { pickTools } from 'pagehand/tools';

const tools = [
  {
    name: 'add_to_cart',
    description: 'Add a product to the cart. Only on a product page.',
    inputSchema: {
      type: 'object',
      properties: { qty: { type: 'integer', minimum: 1 } },
      required: ['qty'],
    },
  },
  { name: 'search_products', description: 'Search the catalogue by a key word.' },
];

const [chosen] = pickTools(tools, 'search for a mug', { max: 1 });
console.log(chosen === tools[1]);
// → true
