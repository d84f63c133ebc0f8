import type { JsonValue } from './tool';

export interface JsonBounds {
  /** Levels of lists and objects. */
  depth: number;
  /** Lists and objects in all. */
  nodes: number;
  /** Stands where something was left out. */
  instead: JsonValue;
}

/**
 * Outside data as JSON, within bounds: whatever walks it afterwards, by recursion too, comes to an
 * end. What is no JSON becomes `null`. `cut` says that something was left out.
 */
export function boundJson(
  value: unknown,
  { depth, nodes, instead }: JsonBounds,
): { value: JsonValue; cut: boolean } {
  let left = nodes;
  let cut = false;
  const bound = (item: unknown, levels: number): JsonValue => {
    if (item === null || typeof item === 'string' || typeof item === 'boolean') return item;
    if (typeof item === 'number') return Number.isFinite(item) ? item : null;
    if (typeof item !== 'object') return null;
    if (levels <= 0 || --left < 0) {
      cut = true;
      return instead;
    }
    if (Array.isArray(item)) return Array.from(item, (inner) => bound(inner, levels - 1));
    // fromEntries defines own properties, so a key such as __proto__ stays a key.
    return Object.fromEntries(
      Object.entries(item)
        .filter(([, inner]) => inner !== undefined)
        .map(([key, inner]) => [key, bound(inner, levels - 1)]),
    );
  };
  return { value: bound(value, depth), cut };
}
