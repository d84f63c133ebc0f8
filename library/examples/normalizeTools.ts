import { normalizeTools } from 'pagehand/router';

console.log(normalizeTools([{ name: 'get_cart' }, { name: 'pay' }]).map(({ name }) => name));
// → ["get_cart","pay"]
