import { el, money } from './page.js';
import { categories, findProducts, products } from './products.js';
import { addToCart } from './store.js';

const list = document.querySelector('#products');
const form = document.querySelector('#filters');
form.category.append(...categories.map((category) => new Option(category, category)));

function draw(found) {
  document.querySelector('#found').textContent = `${found.length} products`;
  list.replaceChildren(
    ...found.map((product) =>
      el(
        'li',
        {},
        el('a', { href: `product.html?id=${product.id}` }, el('h3', {}, product.name)),
        el('p', {}, product.text),
        el('p', { className: 'price' }, money(product.price)),
        el(
          'button',
          { type: 'button', disabled: product.stock === 0, onclick: () => addToCart(product.id) },
          product.stock ? 'Add to cart' : 'Sold out',
        ),
      ),
    ),
  );
}

function fromForm() {
  const data = new FormData(form);
  draw(
    findProducts({
      query: data.get('query'),
      category: data.get('category') || undefined,
      max_price: data.get('max_price') ? Number(data.get('max_price')) : undefined,
    }),
  );
}

form.addEventListener('input', fromForm);
form.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('shop:found', ({ detail: { found, input } }) => {
  form.query.value = input.query ?? '';
  form.category.value = input.category ?? '';
  form.max_price.value = input.max_price ?? '';
  draw(found);
});
draw(products);
