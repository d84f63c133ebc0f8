import type { DialectId } from './dialect-id';

/** What may follow a marker's literal part before it is whole. */
export type Tail =
  | 'attributes' // `>` or ` id="1">`
  | 'named' // ` name="f">`, never a bare `>`
  | 'name' // `f>`
  | 'word-end'; // anything that does not continue the word; that character is not the marker's

/** Opens a call. `open` and `closers` are folded: see `fold`. */
export interface CallMarker {
  kind: 'call';
  dialect: DialectId;
  open: string;
  tail?: Tail;
  closers: readonly string[];
  /** How many of the opener's last characters already belong to the body. */
  keep?: number;
  /** It has no closer of its own: the block ends where its value does. */
  endsWithValue?: boolean;
  /** Only at the start of a line: it looks like a word. */
  lineStart?: boolean;
}

export type Marker =
  | CallMarker
  /** A thought, or a tool result the model made up: neither is prose, and no call in it is run. */
  | { kind: 'thought' | 'result'; open: string; tail?: Tail; closers: readonly string[] }
  | { kind: 'closer'; open: string }
  /** A template token that ends the reply or a turn. */
  | { kind: 'end'; open: string }
  /** A code fence of any length and label. */
  | { kind: 'fence'; open: string; tail: 'word-end' }
  /** Inside a call: quotes text until the same again. */
  | { kind: 'quote'; open: string }
  /** Inside a call: unquoted text follows. */
  | { kind: 'raw'; open: string; tail: Tail }
  /** Inside a call: brackets that are no value. */
  | { kind: 'label'; open: string };

const THOUGHT_TAGS = ['think', 'thinking', 'thought', 'reasoning'];
export const THOUGHT_ENDS = [...THOUGHT_TAGS.map((tag) => `</${tag}>`), '<channel|>', '[/think]'];
const RESULT_ENDS = [
  '</tool_response>',
  '</tool_result>',
  '<|tool_response_end|>',
  '<tool_response|>',
  '<end_function_response>',
  '[/tool_results]',
  '<|tool_outputs_end|>',
];

/** Markers that belong to no dialect: thoughts, made-up results, turn ends, quoting. */
export const COMMON_MARKERS: readonly Marker[] = [
  ...[...THOUGHT_TAGS.map((tag) => `<${tag}>`), '<|channel>thought', '[think]'].map(
    (open) => ({ kind: 'thought', open, closers: THOUGHT_ENDS }) as const,
  ),
  ...[
    '<tool_response>',
    '<tool_result>',
    '<|tool_response_start|>',
    '<|tool_response>',
    '<start_function_response>',
    '[tool_results]',
    '<|tool_outputs_begin|>',
  ].map((open) => ({ kind: 'result', open, closers: RESULT_ENDS }) as const),
  ...[...THOUGHT_ENDS, ...RESULT_ENDS].map((open) => ({ kind: 'closer', open }) as const),
  ...[
    '<|im_end|>',
    '<|start|>assistant',
    '<|eot_id|>',
    '<|eom_id|>',
    '<|end|>',
    '<|endoftext|>',
    '<|end_of_text|>',
    '<|end_of_sentence|>',
    '<end_of_turn>',
    '<turn|>',
  ].map((open) => ({ kind: 'end', open }) as const),
  { kind: 'fence', open: '```', tail: 'word-end' },
  { kind: 'fence', open: '~~~', tail: 'word-end' },
  { kind: 'quote', open: '<|"|>' },
  { kind: 'quote', open: '<escape>' },
  { kind: 'raw', open: '<parameter=', tail: 'name' },
  { kind: 'raw', open: '<parameter', tail: 'named' },
  { kind: 'closer', open: '</parameter>' },
  { kind: 'label', open: '[args]' },
  { kind: 'label', open: '[call_id]' },
];

/** Markers match in any case, and DeepSeek's full-width bars and low blocks as their ASCII likes. */
export function fold(c: string): string {
  if (c === '｜') return '|';
  if (c === '▁') return '_';
  return c.toLowerCase();
}

/** Whether a closer ends a thought. */
export const isThoughtCloser = (marker: Marker): boolean =>
  marker.kind === 'closer' && THOUGHT_ENDS.includes(marker.open);

/** A call opener inside a thought. */
export const CALL_OPENER =
  /<\|?tool_call|<function=|<\|python_tag\|>|\[TOOL_CALLS\]|<start_function_call>/i;

const NOT_OF_CALLS = /think|thought|reasoning|channel|response|result|outputs|parameter/;
/** Whether a closer ends a call, of whatever dialect. */
export const isCallCloser = (marker: Marker): boolean =>
  marker.kind === 'closer' && !NOT_OF_CALLS.test(marker.open);
