import { isRecord, ownString, ownValue } from '../own-data';
import { fail } from './error';
import { integerOption, requireOptions } from './option-checks';

/** Every shape of definition the router reads, as providers write them. */
export const TOOL_FORMATS = Object.freeze([
  'canonical',
  'mcp',
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
] as const);
export type ToolFormat = (typeof TOOL_FORMATS)[number];
export type ToolFormatInput = ToolFormat | 'auto';

/** A tool as the router indexes it. `original` is the very object that was given. */
export interface NormalizedTool<T = unknown> {
  /** Its own `id`, else `namespace:name`, else `name`. */
  readonly id: string;
  readonly name: string;
  /** `''` where there is none; else declared, or the name up to its first `__`, `.` or `/`. */
  readonly namespace: string;
  readonly description: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly format: ToolFormat;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly original: T;
}

/** A list of tools, or the envelope a provider wraps it in. */
export type ToolCatalog<T = unknown> =
  | readonly T[]
  | { readonly tools: readonly T[] }
  | { readonly functionDeclarations: readonly T[] };

export interface NormalizeOptions {
  /** The shape to read the tool as; found out from the tool where absent or `'auto'`. */
  format?: ToolFormatInput;
}
export interface NormalizeCatalogOptions extends NormalizeOptions {
  /** Most tools accepted, 1 to 1,000,000. Default 100,000. */
  maxTools?: number;
}

const MAX_NAME = 512;
const MAX_LIST = 256;
export const DEFAULT_MAX_TOOLS = 100_000;
export const MOST_TOOLS = 1_000_000;
const NAMESPACE_ENDS = ['__', '.', '/'];

/**
 * The shape a definition is written in, read from own data properties alone. The shapes overlap, so
 * the order is fixed: OpenAI Chat, OpenAI Responses, Anthropic, MCP, Gemini, canonical.
 * Throws `ERR_TOOL_DEFINITION` for no object and `ERR_TOOL_FORMAT` for one that is no tool.
 */
export function detectToolFormat(tool: unknown): ToolFormat {
  if (!isRecord(tool)) fail('ERR_TOOL_DEFINITION', 'Tool definition must be an object');
  const named = ownString(tool, 'name') !== undefined;
  if (ownValue(tool, 'type') === 'function') {
    if (isRecord(ownValue(tool, 'function'))) return 'openai-chat';
    if (named) return 'openai-responses';
  }
  if (ownValue(tool, 'input_schema') !== undefined) return 'anthropic';
  if (ownValue(tool, 'inputSchema') !== undefined) return 'mcp';
  if (ownValue(tool, 'parameters') !== undefined) return 'gemini';
  if (named) return 'canonical';
  return fail(
    'ERR_TOOL_FORMAT',
    `Unable to detect the tool definition format; a tool has a name and is written as one of ${TOOL_FORMATS.join(', ')}`,
  );
}

/**
 * What the router reads in a definition. Metadata (`id`, `namespace`, `tags`, `aliases`) may stand on
 * the definition or, in the OpenAI Chat shape, on its `function`. Runs no getter and changes nothing.
 */
export function normalizeTool<T = unknown>(
  tool: T,
  options: NormalizeOptions = {},
): NormalizedTool<T> {
  if (!isRecord(tool)) fail('ERR_TOOL_DEFINITION', 'Tool definition must be an object');
  requireOptions(options, 'Normalization options');
  const format = formatOf(options.format) ?? detectToolFormat(tool);
  const nested = format === 'openai-chat' ? ownValue(tool, 'function') : tool;
  if (!isRecord(nested)) {
    fail('ERR_TOOL_DEFINITION', 'OpenAI Chat tool.function must be an object');
  }
  const outer: object = tool;
  const source: object = nested;
  const name = ownString(source, 'name') ?? '';
  if (name === '') fail('ERR_TOOL_NAME', 'Tool name must be a non-empty string');
  if (name.length > MAX_NAME) {
    fail('ERR_TOOL_NAME', `Tool name must not exceed ${MAX_NAME} characters`);
  }
  const either = (key: string) => ownString(outer, key) || ownString(source, key);
  const namespace = either('namespace') || inferNamespace(name);
  const plain = format === 'mcp' || format === 'canonical';
  return Object.freeze({
    id: either('id') || (namespace ? `${namespace}:${name}` : name),
    name,
    namespace,
    description: ownString(source, 'description') ?? '',
    aliases: stringsOf(outer, source, 'aliases'),
    tags: stringsOf(outer, source, 'tags'),
    format,
    inputSchema: schemaOf(source, format),
    outputSchema: plain ? ownValue(source, 'outputSchema') : undefined,
    original: tool,
  });
}

/**
 * {@link normalizeTool} for a whole catalog or provider envelope; entries that are themselves
 * `{ functionDeclarations }` are opened. Throws `ERR_TOOL_CATALOG` for anything else and
 * `ERR_TOOL_CATALOG_SIZE` beyond `maxTools`.
 */
export function normalizeTools<T = unknown>(
  catalog: ToolCatalog<T>,
  options: NormalizeCatalogOptions = {},
): NormalizedTool<T>[] {
  requireOptions(options, 'Normalization options');
  const maxTools = integerOption(options.maxTools, DEFAULT_MAX_TOOLS, 'maxTools', 1, MOST_TOOLS);
  const tools: NormalizedTool<T>[] = [];
  const room = (needed: number) => {
    if (needed <= maxTools - tools.length) return;
    fail('ERR_TOOL_CATALOG_SIZE', `Tool catalog exceeds maxTools (${maxTools})`);
  };
  const outer = listOf<T>(catalog);
  room(outer.length);
  for (const tool of ownItems(outer)) {
    const declarations = isRecord(tool) ? ownValue(tool, 'functionDeclarations') : undefined;
    if (!Array.isArray(declarations)) {
      room(1);
      tools.push(normalizeTool(tool, { format: options.format }));
      continue;
    }
    room(declarations.length);
    for (const declaration of ownItems<T>(declarations)) {
      tools.push(normalizeTool(declaration, { format: 'gemini' }));
    }
  }
  return tools;
}

/** Whether `value` is a catalog rather than one tool. */
export function isCatalog<T>(value: T | ToolCatalog<T>): value is ToolCatalog<T> {
  if (Array.isArray(value)) return true;
  return (
    isRecord(value) &&
    (Array.isArray(ownValue(value, 'tools')) ||
      Array.isArray(ownValue(value, 'functionDeclarations')))
  );
}

function listOf<T>(catalog: ToolCatalog<T>): readonly T[] {
  if (Array.isArray(catalog)) return catalog;
  if (!isRecord(catalog)) {
    fail('ERR_TOOL_CATALOG', 'Tool catalog must be an array or provider envelope');
  }
  for (const key of ['tools', 'functionDeclarations']) {
    const list = ownValue(catalog, key);
    if (Array.isArray(list)) return list;
  }
  return fail(
    'ERR_TOOL_CATALOG',
    'Tool catalog envelope must contain a list named tools or functionDeclarations',
  );
}

/** The items a list really holds: no holes, no getters. */
function* ownItems<T>(list: readonly T[]): Generator<T> {
  for (let at = 0; at < list.length; at++) {
    const item = Object.getOwnPropertyDescriptor(list, at);
    if (item !== undefined && 'value' in item) yield item.value;
  }
}

function formatOf(format: unknown): ToolFormat | undefined {
  if (format === undefined || format === 'auto') return undefined;
  const known = TOOL_FORMATS.find((candidate) => candidate === format);
  return known ?? fail('ERR_TOOL_FORMAT', `Unsupported tool format: ${String(format)}`);
}

function schemaOf(source: object, format: ToolFormat): unknown {
  if (format === 'anthropic') return ownValue(source, 'input_schema');
  if (format !== 'mcp' && format !== 'canonical') return ownValue(source, 'parameters');
  return ownValue(source, 'inputSchema') ?? ownValue(source, 'schema');
}

function inferNamespace(name: string): string {
  for (const end of NAMESPACE_ENDS) {
    const at = name.indexOf(end);
    if (at > 0) return name.slice(0, at);
  }
  return '';
}

function stringsOf(outer: object, source: object, key: string): readonly string[] {
  const strings = new Set<string>();
  for (const target of outer === source ? [outer] : [outer, source]) {
    const list = ownValue(target, key);
    if (!Array.isArray(list)) continue;
    for (let at = 0; at < Math.min(list.length, MAX_LIST); at++) {
      const item = ownValue(list, at);
      if (typeof item === 'string' && item !== '') strings.add(item);
    }
  }
  return Object.freeze([...strings]);
}
