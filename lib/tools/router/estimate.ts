import { ownValue } from '../own-data';
import { fail } from './error';

const MAX_DEPTH = 64;
const MAX_NODES = 100_000;
/** Characters of JSON a token stands for, on average: an estimate for budgets, no tokenizer's count. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * About how many tokens a definition costs in a prompt: the length of its JSON divided by four,
 * rounded up, at least 1. Nothing is serialized and no getter runs. Throws `ERR_TOOL_CYCLIC`,
 * `ERR_TOOL_VALUE_DEPTH` (64), `ERR_TOOL_VALUE_SIZE` (100,000 values) or `ERR_TOOL_VALUE_TYPE` for
 * what JSON cannot hold.
 */
export function estimateToolTokens(tool: unknown): number {
  const above = new Set<object>();
  let nodes = 0;

  function count(more: number): void {
    nodes += more;
    if (nodes <= MAX_NODES) return;
    fail('ERR_TOOL_VALUE_SIZE', `Tool definition exceeds ${MAX_NODES} values`);
  }

  /** Characters of the JSON of `value`; 0 for what JSON leaves out. */
  function measure(value: unknown): number {
    if (value === null) return 4;
    switch (typeof value) {
      case 'string':
        return jsonLength(value);
      case 'number':
        return Number.isFinite(value) ? String(value).length : 4;
      case 'boolean':
        return value ? 4 : 5;
      case 'bigint':
        return fail('ERR_TOOL_VALUE_TYPE', 'Tool definition cannot contain bigint values');
      case 'object':
        return measureObject(value);
      default:
        return 0;
    }
  }

  function measureObject(value: object): number {
    if (above.has(value)) fail('ERR_TOOL_CYCLIC', 'Tool definition must be JSON-serializable');
    if (above.size >= MAX_DEPTH) {
      fail('ERR_TOOL_VALUE_DEPTH', `Tool definition is nested deeper than ${MAX_DEPTH} levels`);
    }
    above.add(value);
    let items = 0;
    let length = 2;
    if (Array.isArray(value)) {
      count(value.length);
      for (let at = 0; at < value.length; at++) length += measure(ownValue(value, at)) || 4;
      items = value.length;
    } else {
      const keys = Object.keys(value);
      count(keys.length);
      for (const key of keys) {
        const child = measure(ownValue(value, key));
        if (child === 0) continue;
        length += jsonLength(key) + 1 + child;
        items++;
      }
    }
    above.delete(value);
    return length + Math.max(0, items - 1);
  }

  count(1);
  return Math.max(1, Math.ceil(measure(tool) / CHARACTERS_PER_TOKEN));
}

/** Length of `text` as a JSON string. */
function jsonLength(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === BACKSLASH || code < SPACE || isSurrogate(code)) {
      return JSON.stringify(text).length;
    }
  }
  return text.length + 2;
}
const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;
