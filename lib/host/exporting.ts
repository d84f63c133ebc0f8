import * as z from 'zod';
import { AgentEvent } from '../agent/events';
import { REMEDIES } from '../agent/run';
import { foldTranscript, type TranscriptItem, type TranscriptTurn } from '../agent/transcript';
import type { ConversationInfo } from '../messages/host-api';
import { textOf, WordsError } from '../said/said';
import { say } from '../said/say';

/** A conversation as a file: what `json` export writes and import reads. */
const ConversationFile = z.object({
  format: z.literal('pagehand-conversation'),
  version: z.literal(1),
  title: z.string().max(200),
  origin: z.string(),
  createdAt: z.number(),
  events: z.array(z.unknown()),
});

export interface Environment {
  /** Version. */
  pagehand: string;
  /** User agent. */
  browser: string;
  /** The browser's, BCP 47. */
  language: string;
}

/** The conversation as text a person can read and paste anywhere. */
export function toMarkdown(info: ConversationInfo, events: readonly AgentEvent[]): string {
  const turns = foldTranscript(events).map(turnToMarkdown);
  return `# ${info.title}\n\n${new Date(info.createdAt).toISOString()} · ${info.origin}\n\n${turns.join('\n\n')}\n`;
}

function turnToMarkdown(turn: TranscriptTurn): string {
  const items = turn.items.map(itemToMarkdown).filter((text) => text !== '');
  const end = turn.end?.message ? [turn.end.message] : [];
  return [`## ${turn.ask}`, ...items, ...end].join('\n\n');
}

function itemToMarkdown(item: TranscriptItem): string {
  switch (item.kind) {
    case 'prose':
      return item.text;
    case 'thinking':
      return `<details><summary>Thinking</summary>\n\n${item.text}\n\n</details>`;
    case 'call': {
      const { call } = item;
      const result = call.result ?? call.error;
      const head = `**${call.name}** (${call.state})`;
      return `${head}\n\n${fence(JSON.stringify(call.arguments, null, 2))}${
        result ? `\n\n${fence(result)}` : ''
      }`;
    }
    case 'question':
      return `> ${item.question.text}\n>\n> ${JSON.stringify(item.question.answer ?? null)}`;
    case 'problems':
      return item.errors.map((error) => `- ${textOf(error)}`).join('\n');
    case 'notice':
      return `_${item.text}_`;
    case 'navigated':
      return `_The page went to ${item.url}_`;
    case 'engine-failed':
      return `_${item.message}_`;
  }
}

/** A fence longer than any run of backticks inside. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}json\n${text}\n${marks}`;
}

export function toJson(info: ConversationInfo, events: readonly AgentEvent[]): string {
  return JSON.stringify(
    {
      format: 'pagehand-conversation',
      version: 1,
      title: info.title,
      origin: info.origin,
      createdAt: info.createdAt,
      events: [...events],
    } satisfies z.input<typeof ConversationFile>,
    null,
    1,
  );
}

/**
 * What a developer can attach to a bug: every event with the machine it happened on. Unless capture
 * was on, values (what was asked, arguments, results, page text, addresses) are replaced by their kind
 * and size; the site's origin, names of tools and their arguments, the model's, counts, costs and times
 * stay: without them it would tell nothing.
 */
export function toTrace(
  info: ConversationInfo,
  events: readonly AgentEvent[],
  environment: Environment,
  capture: boolean,
): string {
  return JSON.stringify(
    {
      format: 'pagehand-trace',
      version: 1,
      environment,
      redacted: !capture,
      origin: info.origin,
      events: capture ? events : events.map(redactEvent),
    },
    null,
    1,
  );
}

/** Fields that hold values of the user or the page, by event type. */
const PRIVATE: { [T in AgentEvent['type']]?: readonly string[] } = {
  'turn-started': ['ask', 'url'],
  'catalog-collected': ['url', 'title'],
  'prompt-sent': ['system', 'messages'],
  text: ['text'],
  'model-replied': ['raw'],
  'reply-problems': ['errors'],
  'call-proposed': ['arguments', 'fixes', 'unsourced'],
  'call-invalid': ['arguments', 'problems', 'message'],
  'call-finished': ['result', 'shown', 'error', 'navigatedTo'],
  'tool-searched': ['query', 'fallback'],
  'question-asked': ['text', 'choices', 'form'],
  'question-answered': ['answer'],
  'page-navigated': ['url'],
  'engine-failed': ['message'],
  'brief-updated': ['brief'],
  'turn-ended': ['message'],
};

function redactEvent(event: AgentEvent): Record<string, unknown> {
  // Of the kinds that have one, the words are Pagehand's own; what is left may quote a prompt.
  const isKnown =
    event.type === 'engine-failed' &&
    event.kind !== 'failed' &&
    Object.hasOwn(REMEDIES, event.kind);
  if (isKnown) return event;
  const hidden = PRIVATE[event.type] ?? [];
  // A name that leads to no tool is what a model wrote.
  const isInvented = (key: string) =>
    event.type === 'call-invalid' && key === 'name' && event.tool === undefined;
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => {
      if (key === 'said') return [key, redactSaid(value)];
      return [key, hidden.includes(key) || isInvented(key) ? redact(value) : value];
    }),
  );
}

/** Which sentence it was stays; its values are names and other people's words. */
function redactSaid(said: unknown): unknown {
  if (typeof said !== 'object' || said === null || !('code' in said)) return undefined;
  return { code: said.code, values: redact('values' in said ? said.values : []) };
}

function redact(value: unknown): unknown {
  if (typeof value === 'string') return `‹text, ${value.length} characters›`;
  if (typeof value === 'number') return '‹number›';
  if (typeof value === 'boolean') return '‹yes or no›';
  if (Array.isArray(value)) return value.map(redact);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, redact(entry)]));
  }
  return value;
}

/**
 * Reads an exported conversation. Throws with words for the user when it is not one; events that do
 * not fit are skipped and counted.
 */
export function fromJson(text: string): {
  title: string;
  origin: string;
  createdAt: number;
  events: AgentEvent[];
  skipped: number;
} {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw new WordsError(say('import-not-json'));
  }
  const file = ConversationFile.safeParse(raw);
  if (!file.success) {
    throw new WordsError(say('import-not-conversation', z.prettifyError(file.error)));
  }
  const events = file.data.events.flatMap((entry) => {
    const event = AgentEvent.safeParse(entry);
    return event.success ? [event.data] : [];
  });
  const { title, origin, createdAt } = file.data;
  return { title, origin, createdAt, events, skipped: file.data.events.length - events.length };
}
