import { ownValue } from '../own-data';
import { fail } from './error';

export interface SchemaLimits {
  /** Deepest nesting accepted. */
  maxSchemaDepth: number;
  /** Most values visited. */
  maxSchemaNodes: number;
  /** Most characters collected; what is beyond is left out. */
  maxTextLength: number;
}

/** The words of a schema, apart by what they say about the tool. */
export interface SchemaText {
  /** Names of arguments and of shared definitions. */
  names: string[];
  /** Titles, descriptions, formats and the values arguments may take. */
  texts: string[];
}

/** Keys that name nothing a page may call an argument without making trouble elsewhere. */
const UNSAFE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);
const TEXT_KEYS: ReadonlySet<string> = new Set(['title', 'description', 'format', 'const']);
const VALUE_LISTS: ReadonlySet<string> = new Set(['enum', 'examples']);
/** Under these the keys are names somebody chose, not keywords. */
const NAME_MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

/**
 * The searchable words of a JSON Schema, wherever they stand in it. Reads own data properties only,
 * visits every object once and fails with `ERR_TOOL_SCHEMA_DEPTH` or `ERR_TOOL_SCHEMA_SIZE` beyond
 * the limits.
 */
export function collectSchemaText(schema: unknown, limits: SchemaLimits): SchemaText {
  const { maxSchemaDepth, maxSchemaNodes, maxTextLength } = limits;
  const collected: SchemaText = { names: [], texts: [] };
  const seen = new Set<object>();
  let nodes = 0;
  let length = 0;

  function count(more: number): void {
    nodes += more;
    if (nodes > maxSchemaNodes) {
      fail('ERR_TOOL_SCHEMA_SIZE', `Tool schema exceeds maxSchemaNodes (${maxSchemaNodes})`);
    }
  }

  function collect(list: string[], value: unknown): void {
    if (typeof value !== 'string' && typeof value !== 'number') return;
    const text = String(value).slice(0, maxTextLength - length);
    if (text === '') return;
    list.push(text);
    length += text.length + 1;
  }

  function visit(value: unknown, depth: number, under: string): void {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    if (depth > maxSchemaDepth) {
      fail('ERR_TOOL_SCHEMA_DEPTH', `Tool schema exceeds maxSchemaDepth (${maxSchemaDepth})`);
    }
    seen.add(value);
    if (Array.isArray(value)) {
      count(value.length);
      for (let at = 0; at < value.length; at++) {
        const item = ownValue(value, at);
        if (VALUE_LISTS.has(under)) collect(collected.texts, item);
        else visit(item, depth + 1, '');
      }
      return;
    }
    const keys = Object.keys(value);
    count(keys.length);
    for (const key of keys) {
      if (UNSAFE_KEYS.has(key)) continue;
      const child = ownValue(value, key);
      if (NAME_MAPS.has(under)) {
        collect(collected.names, key);
        visit(child, depth + 1, '');
      } else if (TEXT_KEYS.has(key)) collect(collected.texts, child);
      else visit(child, depth + 1, key);
    }
  }

  visit(schema, 0, '');
  return collected;
}
