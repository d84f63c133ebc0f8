import type { DialectId } from '../../agent/engine';

/**
 * How a model writes calls, from the markers in its own chat template; models without tools in their
 * template get the format most small models know. First match wins: the longer, rarer markers first.
 */
const MARKERS: readonly (readonly [marker: string, dialect: DialectId])[] = [
  ['<function=', 'qwen-xml'],
  ['<|tool_call_start|>', 'liquid'],
  ['<|tool_list_start|>', 'liquid'],
  ['<start_function_call>', 'functiongemma'],
  ['<|tool_call>call:', 'gemma'],
  ['<|tool▁call', 'deepseek'],
  ['<｜tool▁call', 'deepseek'],
  ['[TOOL_CALLS]', 'mistral'],
  ['<tool_call>', 'hermes'],
  ['<|/tool|>', 'phi'],
  ['<|tool_call|>', 'granite'],
  ['<|python_tag|>', 'llama'],
];

/** LFM2.5's template lists tools without LFM2's markers, so its architecture decides. */
const ARCHITECTURES: ReadonlyMap<string, DialectId> = new Map([
  ['lfm2', 'liquid'],
  ['lfm2moe', 'liquid'],
]);

export function dialectOf(model: { architecture?: string; chatTemplate?: string }): DialectId {
  const template = model.chatTemplate ?? '';
  const marked = MARKERS.find(([marker]) => template.includes(marker));
  return marked?.[1] ?? ARCHITECTURES.get(model.architecture ?? '') ?? 'hermes';
}
