import { unknownToolAnswer } from 'pagehand/tools';

const answer = unknownToolAnswer({
  name: 'open_cart',
  callable: ['get_cart', 'pay'],
  canSearch: true,
});
console.log(answer.similar);
// → ["get_cart"]
console.log(answer.message);
// → There is no tool "open_cart"; calling it again fails the same way. Close matches: get_cart. To find a tool, call tool_search and say what you want to do.
