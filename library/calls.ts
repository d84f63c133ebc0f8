/** Reading tool calls out of a model's text: `pagehand/calls`. */
export type { DialectId } from '../lib/calls/dialect-id';
export { parseToolCalls } from '../lib/calls/parse';
export { createProseFilter, type ProseFilter } from '../lib/calls/prose-filter';
export type { ParsedCall, ParseOptions, ParseResult } from '../lib/calls/result';
