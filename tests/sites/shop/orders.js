import { el, money } from './page.js';
import { onChange, orders } from './store.js';

function draw() {
  document
    .querySelector('#orders')
    .replaceChildren(
      ...orders().map((order) =>
        el(
          'tr',
          {},
          el('td', {}, order.number),
          el('td', {}, order.placed),
          el('td', {}, money(order.total)),
          el('td', {}, order.status),
        ),
      ),
    );
}
onChange(draw);
draw();
