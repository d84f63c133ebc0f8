// Cart and orders, kept in the browser. Every change is announced, so that the page redraws.
import { productById } from './products.js';

const changes = new EventTarget();
const read = (key, otherwise) => JSON.parse(localStorage.getItem(key) ?? 'null') ?? otherwise;
const write = (key, value) => {
  localStorage.setItem(key, JSON.stringify(value));
  changes.dispatchEvent(new Event('change'));
};

export const onChange = (listener) => changes.addEventListener('change', listener);
export const cart = () => read('cart', { lines: [], coupon: null });
export const orders = () => read('orders', []);

export function cartSummary() {
  const { lines, coupon } = cart();
  const items = lines.map((line) => {
    const product = productById(line.id);
    return {
      id: line.id,
      name: product.name,
      size: line.size,
      quantity: line.quantity,
      total: product.price * line.quantity,
    };
  });
  const subtotal = items.reduce((sum, item) => sum + item.total, 0);
  const discount = coupon === 'TRAIL10' ? Math.round(subtotal * 0.1) : 0;
  return { items, subtotal, discount, total: subtotal - discount, currency: 'EUR' };
}

export function addToCart(id, quantity = 1, size) {
  const product = productById(id);
  if (product.stock < quantity)
    throw new Error(`Only ${product.stock} of ${product.name} in stock.`);
  if (size && !product.sizes.includes(size)) {
    throw new Error(`${product.name} has no size ${size}. Sizes: ${product.sizes.join(', ')}.`);
  }
  const current = cart();
  const line = current.lines.find((l) => l.id === id && l.size === (size ?? product.sizes[0]));
  if (line) line.quantity += quantity;
  else current.lines.push({ id, quantity, size: size ?? product.sizes[0] });
  write('cart', current);
  return { added: product.name, quantity, ...cartSummary() };
}

export function setQuantity(id, quantity) {
  const current = cart();
  const line = current.lines.find((l) => l.id === id);
  if (!line) throw new Error(`"${id}" is not in the cart.`);
  line.quantity = quantity;
  current.lines = current.lines.filter((l) => l.quantity > 0);
  write('cart', current);
  return cartSummary();
}

export function applyCoupon(code) {
  if (code.toUpperCase() !== 'TRAIL10') throw new Error(`The coupon "${code}" is not valid.`);
  write('cart', { ...cart(), coupon: 'TRAIL10' });
  return cartSummary();
}

export function placeOrder({ name, address, payment }) {
  const summary = cartSummary();
  if (summary.items.length === 0) throw new Error('The cart is empty.');
  const order = {
    number: `P-${1001 + orders().length}`,
    placed: new Date().toISOString().slice(0, 10),
    name,
    address,
    payment,
    status: 'placed',
    ...summary,
  };
  write('orders', [...orders(), order]);
  write('cart', { lines: [], coupon: null });
  return { order: order.number, total: order.total, currency: 'EUR', status: 'placed' };
}

export function cancelOrder(number) {
  const all = orders();
  const order = all.find((candidate) => candidate.number === number);
  if (!order) throw new Error(`No order "${number}".`);
  order.status = 'cancelled';
  write('orders', all);
  return { order: number, status: 'cancelled' };
}
