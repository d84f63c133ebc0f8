import type { JsonValue } from '../../lib/tools/tool';

const DEEPEST = 12;
const MOST_LINES = 2000;

/** JSON as indented `name: value` lines, for people who do not read braces. Bounded in depth and lines. */
export function readable(value: JsonValue): string {
  const lines: string[] = [];
  write(value, 0, '', lines);
  return lines.join('\n');
}

function write(value: JsonValue, depth: number, lead: string, lines: string[]): void {
  if (lines.length >= MOST_LINES) return;
  const indent = '  '.repeat(depth);
  if (value === null || typeof value !== 'object') {
    lines.push(`${indent}${lead}${value === null ? '–' : String(value)}`);
    return;
  }
  if (depth >= DEEPEST) {
    lines.push(`${indent}${lead}…`);
    return;
  }
  const entries: [string, JsonValue][] = Array.isArray(value)
    ? value.map((item) => ['', item])
    : Object.entries(value);
  if (entries.length === 0) {
    lines.push(`${indent}${lead}–`);
    return;
  }
  const inner = lead ? depth + 1 : depth;
  if (lead) lines.push(`${indent}${lead.trimEnd()}`);
  for (const [key, child] of entries) {
    write(child, inner, key ? `${key}: ` : '• ', lines);
    if (lines.length >= MOST_LINES) {
      lines.push('…');
      return;
    }
  }
}
