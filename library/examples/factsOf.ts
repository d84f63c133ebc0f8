import { factsOf } from 'pagehand/agent';

const facts = factsOf({
  now: new Date('2026-11-30T08:00:00Z'),
  timeZone: 'Europe/Berlin',
  title: 'Shop',
});
console.log(facts['page title'], facts['time']);
// → Shop 09:00
