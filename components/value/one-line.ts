import type { JsonValue } from '../../lib/tools/tool';

/** Deeper than this a value stands as `…`, and no list tells more of itself than a few parts. */
const DEEPEST = 4;
const MOST_PARTS = 8;

/** A value in one short line, for summaries. Never longer than `limit` characters. */
export function oneLine(value: JsonValue | undefined, limit = 60): string {
  const flat = written(value, DEEPEST, limit * 4)
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return flat.length > limit ? `${flat.slice(0, limit - 1)}…` : flat;
}

function written(value: JsonValue | undefined, levels: number, room: number): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value.slice(0, room);
  if (value === null || typeof value !== 'object') return String(value);
  if (levels === 0) return '…';
  const inner = (item: JsonValue) => written(item, levels - 1, room);
  return Array.isArray(value)
    ? value.slice(0, MOST_PARTS).map(inner).join(', ')
    : Object.entries(value)
        .slice(0, MOST_PARTS)
        .map(([key, item]) => `${key}: ${inner(item)}`)
        .join(', ');
}
