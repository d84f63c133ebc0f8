import { pageOfText } from 'pagehand/agent';

const text = 'One line of a long letter.\n'.repeat(40);
const { page, pages } = pageOfText(text, 2, 100, (part) => part.length / 4);
console.log(page, pages);
// → 2 3
