import type { ParseResult } from 'pagehand/calls';
import { parseToolCalls } from 'pagehand/calls';

const names = new Set(['open_product', 'search_products']);
// The model stopped before it closed the tag: the call is repaired.
const result: ParseResult = parseToolCalls(
  'Opening it.<tool_call>{"name": "open_product", "arguments": {"slug": "trail-cap"}}',
  names,
);
console.log(result.text);
// → Opening it.
console.log(result.calls[0]?.name, result.calls[0]?.arguments);
// → open_product {"slug":"trail-cap"}
console.log(result.errors);
// → []
