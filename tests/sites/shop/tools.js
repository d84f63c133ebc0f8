// What the shop offers to agents, on every page. Product pages add their own (product.js).
import { categories, findProducts, productById } from './products.js';
import {
  addToCart,
  applyCoupon,
  cancelOrder,
  cartSummary,
  orders,
  placeOrder,
  setQuantity,
} from './store.js';

/** Chrome's API today, or where it used to live. `undefined` where the browser has none. */
export const modelContext = document.modelContext ?? navigator.modelContext;

const productId = { type: 'string', description: 'Product id, as search_products gives it' };
const quantity = { type: 'integer', minimum: 1, maximum: 20, description: 'How many pieces' };
const brief = ({ id, name, price, category, colours, stock }) => ({
  id,
  name,
  price,
  category,
  colours,
  stock,
});

export const shopTools = [
  {
    name: 'search_products',
    title: 'Search products',
    description: 'Search the catalogue for products by words, category and price.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'Words to look for, for example "red cap"' },
        category: { type: 'string', enum: categories, description: 'Only this category' },
        max_price: { type: 'number', minimum: 0, description: 'Highest price in euros' },
        sort: { type: 'string', enum: ['relevance', 'cheapest', 'dearest'] },
      },
    },
    annotations: { readOnlyHint: true },
    execute(input) {
      const found = findProducts(input);
      document.dispatchEvent(new CustomEvent('shop:found', { detail: { found, input } }));
      return { count: found.length, products: found.map(brief) };
    },
  },
  {
    name: 'get_product',
    title: 'Product details',
    description: 'Get price, sizes, colours and stock of one product.',
    inputSchema: {
      type: 'object',
      properties: { product_id: productId },
      required: ['product_id'],
    },
    annotations: { readOnlyHint: true },
    execute: ({ product_id }) => productById(product_id),
  },
  {
    name: 'open_product',
    title: 'Open a product page',
    description: 'Show the page of one product in this tab.',
    inputSchema: {
      type: 'object',
      properties: { product_id: productId },
      required: ['product_id'],
    },
    annotations: { readOnlyHint: true },
    execute({ product_id }) {
      const product = productById(product_id);
      location.href = `product.html?id=${product.id}`;
      return `Opening ${product.name}.`;
    },
  },
  {
    name: 'view_cart',
    title: 'View the cart',
    description: 'List what is in the shopping cart, with totals.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    execute: () => cartSummary(),
  },
  {
    name: 'add_to_cart',
    title: 'Add to cart',
    description: 'Put a product into the shopping cart.',
    inputSchema: {
      type: 'object',
      properties: {
        product_id: productId,
        quantity: { ...quantity, default: 1 },
        size: { type: 'string', description: 'Size, if the product has several' },
      },
      required: ['product_id'],
    },
    execute: ({ product_id, quantity: pieces = 1, size }) => addToCart(product_id, pieces, size),
  },
  {
    name: 'update_cart',
    title: 'Change a quantity',
    description: 'Change how many pieces of a product are in the cart; 0 removes it.',
    inputSchema: {
      type: 'object',
      properties: {
        product_id: productId,
        quantity: { type: 'integer', minimum: 0, maximum: 20, description: 'New number of pieces' },
      },
      required: ['product_id', 'quantity'],
    },
    execute: ({ product_id, quantity: pieces }) => setQuantity(product_id, pieces),
  },
  {
    name: 'apply_coupon',
    title: 'Apply a coupon',
    description: 'Apply a coupon code to the cart.',
    inputSchema: {
      type: 'object',
      properties: { code: { type: 'string', description: 'Coupon code' } },
      required: ['code'],
    },
    execute: ({ code }) => applyCoupon(code),
  },
  {
    name: 'place_order',
    title: 'Place the order',
    description: 'Order what is in the cart. This is binding and charges the payment method.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Full name of the recipient' },
        address: { type: 'string', description: 'Street, number, postcode and city' },
        payment: { type: 'string', enum: ['invoice', 'card', 'paypal'], description: 'How to pay' },
      },
      required: ['name', 'address', 'payment'],
    },
    annotations: { consequentialHint: true },
    execute: (input) => placeOrder(input),
  },
  {
    name: 'list_orders',
    title: 'Order history',
    description: 'List earlier orders with number, date, total and status.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
    execute: () => ({
      orders: orders().map(({ number, placed, total, status }) => ({
        number,
        placed,
        total,
        status,
      })),
    }),
  },
  {
    name: 'cancel_order',
    title: 'Cancel an order',
    description: 'Cancel an order that has been placed.',
    inputSchema: {
      type: 'object',
      properties: {
        order_number: { type: 'string', description: 'Order number, for example "P-1001"' },
      },
      required: ['order_number'],
    },
    annotations: { consequentialHint: true },
    execute: ({ order_number }) => cancelOrder(order_number),
  },
];

export function registerTools(tools) {
  if (!modelContext) return;
  for (const tool of tools) {
    // Chrome ≥ 151 answers with a promise, older ones throw: both end up here.
    Promise.resolve()
      .then(() => modelContext.registerTool(tool))
      .catch((error) => console.warn(`The tool ${tool.name} was not registered:`, error));
  }
}
