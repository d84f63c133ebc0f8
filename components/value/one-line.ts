import type { JsonValue } from '../../lib/tools/tool';

/** A value in one short line, for summaries. Never longer than `limit` characters. */
export function oneLine(value: JsonValue | undefined, limit = 60): string {
  const text =
    value === undefined
      ? ''
      : typeof value === 'string'
        ? value
        : Array.isArray(value)
          ? value
              .slice(0, 8)
              .map((item) => oneLine(item, limit))
              .join(', ')
          : value !== null && typeof value === 'object'
            ? Object.entries(value)
                .slice(0, 8)
                .map(([key, item]) => `${key}: ${oneLine(item, limit)}`)
                .join(', ')
            : String(value);
  const flat = text
    .slice(0, limit * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return flat.length > limit ? `${flat.slice(0, limit - 1)}…` : flat;
}
