import { el, money } from './page.js';
import { cartSummary, onChange, placeOrder, setQuantity } from './store.js';

function draw() {
  const { items, discount, total } = cartSummary();
  document.querySelector('#lines').replaceChildren(
    ...items.map((item) =>
      el(
        'tr',
        {},
        el('td', {}, item.name),
        el('td', {}, item.size),
        el('td', {}, String(item.quantity)),
        el('td', {}, money(item.total)),
        el(
          'td',
          {},
          el(
            'button',
            {
              type: 'button',
              ariaLabel: `Remove ${item.name}`,
              onclick: () => setQuantity(item.id, 0),
            },
            'Remove',
          ),
        ),
      ),
    ),
  );
  document.querySelector('#total').textContent =
    `${discount ? `Discount ${money(discount)}. ` : ''}Total ${money(total)}`;
}

document.querySelector('#checkout').addEventListener('submit', (event) => {
  event.preventDefault();
  placeOrder(Object.fromEntries(new FormData(event.target)));
  location.href = 'orders.html';
});
onChange(draw);
draw();
