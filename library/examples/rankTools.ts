import type { ToolDescriptor } from 'pagehand/tools';
import { rankTools } from 'pagehand/tools';

const tools: ToolDescriptor[] = [
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

const shown = rankTools(tools, 'add two mugs to the cart', { max: 1, recent: ['search_products'] });
console.log(shown[0]?.name);
// → add_to_cart
