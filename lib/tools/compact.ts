import { isRecord, ownString, ownValue, setOwn } from './own-data';
import { cutText } from './text/cut';
import type { JsonObject, JsonSchema, JsonValue } from './tool';

/** Longest description kept in a schema, in UTF-16 units. */
const MAX_DESCRIPTION = 160;
/** Nesting and size at which a schema stops being one a model could follow; deeper parts become `{}`. */
const MAX_DEPTH = 24;
const MAX_NODES = 10_000;

/** How much of one schema has been copied, and which objects stand above the current one. */
interface Copy {
  nodes: number;
  above: Set<object>;
}

/**
 * A schema cut down to what a small model reads: `type`, `properties`, `required`, `enum`, `minimum`,
 * `maximum`, `items` and `description` (at most 160 characters), through `properties` and `items`.
 * Everything else is dropped; the names inside `properties` are names and all stay. Returns a new
 * object of plain JSON and leaves `schema` alone. Whatever is no schema (a boolean, a cycle, something
 * deeper than 24 levels) becomes `{}`.
 */
export function compactSchema(schema: unknown): JsonSchema {
  return compactNode(schema, { nodes: 0, above: new Set() });
}

function compactNode(schema: unknown, copy: Copy): JsonSchema {
  const compact: JsonSchema = {};
  if (!isRecord(schema) || copy.above.has(schema) || copy.above.size >= MAX_DEPTH) return compact;
  if (++copy.nodes > MAX_NODES) return compact;
  copy.above.add(schema);
  for (const key of Object.keys(schema)) {
    const value = compactKeyword(key, ownValue(schema, key), copy);
    if (value !== undefined) compact[key] = value;
  }
  copy.above.delete(schema);
  return compact;
}

function compactKeyword(key: string, value: unknown, copy: Copy): JsonValue | undefined {
  switch (key) {
    case 'type':
      return typeof value === 'string' ? value : stringsOf(value);
    case 'required':
      return stringsOf(value);
    case 'enum':
      return Array.isArray(value) ? copyList(value, copy) : undefined;
    case 'minimum':
    case 'maximum':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'description':
      return typeof value === 'string' ? cutText(value, MAX_DESCRIPTION) : undefined;
    case 'items':
      return Array.isArray(value)
        ? compactList(value, copy)
        : isRecord(value)
          ? compactNode(value, copy)
          : undefined;
    case 'properties':
      return isRecord(value) ? compactProperties(value, copy) : undefined;
    default:
      return undefined;
  }
}

function compactProperties(properties: object, copy: Copy): JsonObject {
  const compact: JsonObject = {};
  if (copy.above.has(properties)) return compact;
  copy.above.add(properties);
  for (const name of Object.keys(properties)) {
    if (copy.nodes >= MAX_NODES) break;
    setOwn(compact, name, compactNode(ownValue(properties, name), copy));
  }
  copy.above.delete(properties);
  return compact;
}

function compactList(list: readonly unknown[], copy: Copy): JsonValue[] {
  if (copy.above.has(list)) return [];
  copy.above.add(list);
  const compact = ownItems(list).map((item) => compactNode(item, copy));
  copy.above.delete(list);
  return compact;
}

/** `JsonValue`s of `list`, copied as they are; what JSON cannot hold is left out. */
function copyList(list: readonly unknown[], copy: Copy): JsonValue[] {
  if (copy.above.has(list) || copy.above.size >= MAX_DEPTH) return [];
  copy.above.add(list);
  const values: JsonValue[] = [];
  for (const item of ownItems(list)) {
    const value = copyJson(item, copy);
    if (value !== undefined) values.push(value);
  }
  copy.above.delete(list);
  return values;
}

function copyJson(value: unknown, copy: Copy): JsonValue | undefined {
  if (++copy.nodes > MAX_NODES) return undefined;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return copyList(value, copy);
  if (!isRecord(value) || copy.above.has(value) || copy.above.size >= MAX_DEPTH) return undefined;
  const object: JsonObject = {};
  copy.above.add(value);
  for (const key of Object.keys(value)) {
    const item = copyJson(ownValue(value, key), copy);
    if (item !== undefined) setOwn(object, key, item);
  }
  copy.above.delete(value);
  return object;
}

function stringsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return ownItems(value).filter((item): item is string => typeof item === 'string');
}

/** The items of a list without running getters; a sparse or endless list ends at the node limit. */
function ownItems(list: readonly unknown[]): unknown[] {
  const items: unknown[] = [];
  const length = Math.min(list.length, MAX_NODES);
  for (let at = 0; at < length; at++) items.push(ownValue(list, at));
  return items;
}

/** The description of a tool or schema, `''` where there is none. */
export function descriptionOf(target: object): string {
  return ownString(target, 'description') ?? '';
}
