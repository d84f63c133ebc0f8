import * as z from 'zod';
import { AgentEvent } from '../agent/events';
import { REMEDIES } from '../agent/run';
import { foldTranscript, type TranscriptItem, type TranscriptTurn } from '../agent/transcript';
import type { ConversationInfo } from '../messages/host-api';
import { textOf, WordsError } from '../said/said';
import { say } from '../said/say';
import { boundJson } from '../tools/bound-json';
import { fencedCode, shownName } from '../tools/text/untrusted';

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
  return [`## ${turn.byHand ? 'Run by hand' : turn.ask}`, ...items, ...end].join('\n\n');
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
      const head = `**${shownName(call.name)}** (${call.state})`;
      return `${head}\n\n${fencedCode(jsonText(call.arguments), 'json')}${
        result ? `\n\n${fencedCode(result, 'json')}` : ''
      }`;
    }
    case 'question':
      return `> ${item.question.text}\n>\n> ${jsonText(item.question.answer)}`;
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

/** Deeper than anybody reads, and far from where a recursive writer gives up. */
const BOUNDS = { depth: 100, nodes: 50_000, instead: '…' };
const writable = (value: unknown) => boundJson(value, BOUNDS).value;
const jsonText = (value: unknown) => JSON.stringify(writable(value), null, 2);

export function toJson(info: ConversationInfo, events: readonly AgentEvent[]): string {
  return JSON.stringify(
    {
      format: 'pagehand-conversation',
      version: 1,
      title: info.title,
      origin: info.origin,
      createdAt: info.createdAt,
      events: events.map(writable),
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
      events: events.map((event) => (capture ? writable(event) : redactEvent(event))),
    },
    null,
    1,
  );
}

/** What a trace shows of a value: all of it, or these of its fields (of each entry, in a list). */
type Shown = true | ShownFields;
interface ShownFields {
  readonly [field: string]: Shown;
}

const TOOL: ShownFields = { key: true, name: true, origin: true };
const ALWAYS: ShownFields = { id: true, at: true, type: true, conversationId: true, turnId: true };

/**
 * What a trace shows of each event: names, codes, counts, costs and times. Everything else is private,
 * a field that a later version adds included.
 */
const SHOWN: { readonly [T in AgentEvent['type']]: ShownFields } = {
  'turn-started': {
    tabId: true,
    engine: true,
    model: true,
    strategy: true,
    byHand: true,
    after: true,
  },
  'turn-queued': { position: true, busyTabId: true },
  'step-started': { step: true },
  'catalog-collected': { tools: true, appeared: true, vanished: true, ms: true },
  'tools-advertised': { direct: true, deferred: true, schemaBytes: true },
  'tools-chosen': { step: true, offered: true, left: true, budget: true },
  'prompt-sent': { step: true, dialect: true, tokens: true, prefix: true },
  text: { step: true, channel: true },
  'model-replied': {
    step: true,
    finish: true,
    queueMs: true,
    promptTokens: true,
    reusedTokens: true,
    completionTokens: true,
    firstTokenMs: true,
    tokensPerSecond: true,
  },
  'reply-problems': { step: true },
  'call-proposed': {
    step: true,
    callId: true,
    tool: TOOL,
    deferred: true,
    readOnly: true,
    consequential: true,
  },
  'call-invalid': { callId: true, name: true, tool: TOOL },
  'approval-asked': { callId: true, reason: true, canRemember: true, remembered: true, word: true },
  'approval-answered': { callId: true, decision: true, by: true, remember: true, scope: true },
  'call-started': { callId: true },
  'call-finished': { callId: true, ok: true, ms: true, mayHaveRun: true },
  'tool-searched': {
    callId: true,
    matched: true,
    ranker: true,
    topConfidence: true,
    shadowMatched: true,
    latencyMs: true,
  },
  'deferred-tool-call': { callId: true, toolName: true },
  'question-asked': { questionId: true },
  'question-answered': { questionId: true },
  'page-navigated': {},
  notice: { level: true },
  'engine-failed': { engine: true, kind: true, remedies: true },
  'brief-updated': {},
  'turn-ended': { reason: true, remedies: true, steps: true },
};

function redactEvent(event: AgentEvent): unknown {
  const shown = { ...ALWAYS, ...SHOWN[event.type] };
  // Of the kinds that have one, the words are Pagehand's own; what is left may quote a prompt.
  const isKnown =
    event.type === 'engine-failed' &&
    event.kind !== 'failed' &&
    Object.hasOwn(REMEDIES, event.kind);
  if (isKnown) return writable(event);
  // A name that leads to no tool is what a model wrote.
  const isInvented = event.type === 'call-invalid' && event.tool === undefined;
  return redact(writable(event), isInvented ? { ...shown, name: {} } : shown);
}

/** Which sentence it was stays; its values are names and other people's words. */
function redactSaid(said: unknown): unknown {
  if (typeof said !== 'object' || said === null || !('code' in said)) return undefined;
  return { code: said.code, values: redact('values' in said ? said.values : [], {}) };
}

function redact(value: unknown, shown: Shown): unknown {
  if (shown === true) return value;
  if (typeof value === 'string') return `‹text, ${value.length} characters›`;
  if (typeof value === 'number') return '‹number›';
  if (typeof value === 'boolean') return '‹yes or no›';
  if (Array.isArray(value)) return value.map((entry) => redact(entry, shown));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      key === 'said'
        ? redactSaid(entry)
        : redact(entry, Object.hasOwn(shown, key) ? (shown[key] ?? {}) : {}),
    ]),
  );
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
    const fields = file.error.issues.map(({ path: [field = 'file'] }) => String(field));
    const unfit = [...new Set(fields)].join(', ');
    throw new WordsError(say('import-not-conversation', `${unfit.slice(0, 100)}.`));
  }
  const events = file.data.events.flatMap((entry) => {
    // Deeper or larger than any event: what reads and draws it would not come to an end.
    const { value, cut } = boundJson(entry, BOUNDS);
    if (cut) return [];
    const event = AgentEvent.safeParse(value);
    return event.success ? [event.data] : [];
  });
  const { title, origin, createdAt } = file.data;
  return { title, origin, createdAt, events, skipped: file.data.events.length - events.length };
}
