import { createProseFilter } from 'pagehand/calls';

const filter = createProseFilter();
console.log(filter.push('Sure <tool_'));
// → Sure
console.log(filter.push('call>{"name":"open_cart"}</tool_call> done'));
// →  done
console.log(filter.flush());
// →
