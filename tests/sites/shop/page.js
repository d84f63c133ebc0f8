// What every page of the shop shares: the header's cart count and the tools.
import { cartSummary, onChange } from './store.js';
import { registerTools, shopTools } from './tools.js';

export const money = (amount) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(amount);

/** Builds an element: `el('p', { className: 'price' }, 'text', child)`. */
export function el(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function drawCount() {
  const pieces = cartSummary().items.reduce((sum, item) => sum + item.quantity, 0);
  document.querySelector('#cart-count').textContent = String(pieces);
}

onChange(drawCount);
drawCount();
registerTools(shopTools);
