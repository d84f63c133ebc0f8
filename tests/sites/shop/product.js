import { el, money } from './page.js';
import { productById } from './products.js';
import { addToCart } from './store.js';
import { registerTools } from './tools.js';

const product = productById(new URLSearchParams(location.search).get('id'));
document.title = `${product.name} · Pagehand Outdoor`;
document.querySelector('#name').textContent = product.name;
document.querySelector('#text').textContent = product.text;
document.querySelector('#price').textContent = money(product.price);
const size = document.querySelector('#size');
size.append(...product.sizes.map((name) => new Option(name, name)));
document
  .querySelector('#buy')
  .addEventListener('click', () => addToCart(product.id, 1, size.value));

const reviews = [];
function drawReviews() {
  document
    .querySelector('#reviews')
    .replaceChildren(
      ...reviews.map(({ stars, text }) => el('li', {}, `${'★'.repeat(stars)} ${text}`)),
    );
}

// Tools that make sense only while this product is shown.
registerTools([
  {
    name: 'choose_size',
    title: 'Choose a size',
    description: `Choose the size of the product that is shown (${product.name}).`,
    inputSchema: {
      type: 'object',
      properties: { size: { type: 'string', enum: product.sizes, description: 'Size' } },
      required: ['size'],
    },
    execute({ size: wanted }) {
      size.value = wanted;
      return { product: product.name, size: wanted };
    },
  },
  {
    name: 'write_review',
    title: 'Write a review',
    description: 'Publish a review of the product that is shown.',
    inputSchema: {
      type: 'object',
      properties: {
        stars: { type: 'integer', minimum: 1, maximum: 5, description: 'Stars from 1 to 5' },
        text: { type: 'string', description: 'The review' },
      },
      required: ['stars', 'text'],
    },
    annotations: { consequentialHint: true },
    execute({ stars, text }) {
      reviews.push({ stars, text });
      drawReviews();
      return { published: true, stars };
    },
  },
]);
