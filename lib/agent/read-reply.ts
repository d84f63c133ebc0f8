import type { DialectId } from './engine';

/** Stand-in until the parser of `lib/calls` is here: whole-reply JSON only. */
export interface ParsedReply {
  text: string;
  thinking: string;
  calls: { name: string; arguments: { [key: string]: unknown }; repairs: string[] }[];
  errors: string[];
}

export function readReply(
  raw: string,
  names: ReadonlySet<string>,
  _dialect: DialectId,
): ParsedReply {
  const none = { thinking: '', calls: [], errors: [] };
  try {
    const reply = JSON.parse(raw);
    if (reply.type === 'message') return { ...none, text: String(reply.text) };
    if (reply.type === 'tool_call') {
      if (!names.has(reply.name))
        return { ...none, text: '', errors: [`Unknown tool "${reply.name}".`] };
      return {
        ...none,
        text: '',
        calls: [{ name: reply.name, arguments: reply.arguments ?? {}, repairs: [] }],
      };
    }
  } catch {
    // Prose.
  }
  return { ...none, text: raw.trim() };
}

export function createFilter(_dialect: DialectId) {
  return {
    push: (_delta: string) => ({ prose: '', thinking: '' }),
    flush: () => ({ prose: '', thinking: '' }),
  };
}
