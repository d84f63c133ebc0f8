// Runs in the delivery frame of every page and offers its own tool there.
const modelContext = document.modelContext ?? navigator.modelContext;

function estimate(postcode, express) {
  const far = Number(postcode[0]) >= 5;
  const days = express ? 1 : far ? 4 : 2;
  return { postcode, days, cost: express ? 12.9 : 4.9, currency: 'EUR' };
}

const form = document.querySelector('form');
form.addEventListener('submit', (event) => {
  event.preventDefault();
  show(estimate(form.postcode.value, form.express.checked));
});
function show({ days, cost }) {
  document.querySelector('output').textContent =
    `${days} day${days > 1 ? 's' : ''}, €${cost.toFixed(2)}`;
}

if (modelContext) {
  Promise.resolve()
    .then(() =>
      modelContext.registerTool({
        name: 'estimate_delivery',
        title: 'Delivery time and cost',
        description: 'Estimate delivery time and shipping cost for a postcode.',
        inputSchema: {
          type: 'object',
          properties: {
            postcode: {
              type: 'string',
              pattern: '^[0-9]{5}$',
              description: 'Postcode, five digits',
            },
            express: { type: 'boolean', description: 'Express delivery' },
          },
          required: ['postcode'],
        },
        annotations: { readOnlyHint: true },
        execute({ postcode, express = false }) {
          const result = estimate(postcode, express);
          show(result);
          return result;
        },
      }),
    )
    .catch((error) => console.warn('The delivery tool was not registered:', error));
}
