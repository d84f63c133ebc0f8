import type { CutText } from './wire';

const MAX_NODES = 400;
const MAX_ITEMS = 60;
const MAX_DEPTH = 8;

/** The start of a text, and how long it was. */
export function cutText(text: string, limit: number): CutText {
  return { text: text.slice(0, limit).toWellFormed(), length: text.length };
}

/**
 * A value as JSON text, cut in width and depth while it is written: a page may hand over millions
 * of items. What is left out shows as `…`. Never throws.
 */
export function cutJson(value: unknown, limit: number): CutText {
  if (typeof value === 'string') return cutText(value, limit);
  let nodes = 0;
  const shrink = (part: unknown, depth: number): unknown => {
    if (typeof part === 'string') return part.length > limit ? `${part.slice(0, limit)}…` : part;
    if (typeof part === 'bigint' || typeof part === 'symbol') return String(part);
    if (typeof part !== 'object' || part === null) return part;
    if (++nodes > MAX_NODES || depth > MAX_DEPTH) return '…';
    const toJson = (part as { toJSON?: unknown }).toJSON;
    if (typeof toJson === 'function') return shrink(Reflect.apply(toJson, part, []), depth + 1);
    if (Array.isArray(part)) {
      const items = part.slice(0, MAX_ITEMS).map((item) => shrink(item, depth + 1));
      return part.length > MAX_ITEMS ? [...items, '…'] : items;
    }
    const entries: [string, unknown][] = [];
    for (const key in part) {
      if (!Object.hasOwn(part, key)) continue;
      if (entries.length === MAX_ITEMS) {
        entries.push(['…', '…']);
        break;
      }
      entries.push([key.slice(0, 200), shrink((part as Record<string, unknown>)[key], depth + 1)]);
    }
    return Object.fromEntries(entries);
  };
  try {
    return cutText(JSON.stringify(shrink(value, 0)) ?? 'undefined', limit);
  } catch {
    return cutText('…', limit);
  }
}
