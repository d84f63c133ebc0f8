import { normalizeText } from 'pagehand/router';

console.log(normalizeText('Café  CRÈME'));
// → cafe creme
