import { pathOf } from '../agent/branches';
import type { AgentEvent } from '../agent/events';
import { foldTranscript, type TranscriptTurn } from '../agent/transcript';
import type { ConversationInfo } from '../messages/host-api';
import type { JsonValue, PageTool } from '../tools/tool';

/**
 * The conversation as an eval case (`docs/evals.md`): the page's tools, what they returned, what was
 * asked and the calls that came of it. What was called is taken as what should be called: read it
 * before you keep it.
 */
export function toEvalCase(
  info: ConversationInfo,
  events: readonly AgentEvent[],
  tools: readonly PageTool[],
): string {
  const turns = pathOf(foldTranscript(events));
  const results: Record<string, JsonValue> = {};
  for (const item of turns.flatMap((turn) => turn.items)) {
    if (item.kind !== 'call' || typeof item.call.result !== 'string') continue;
    results[item.call.tool?.name ?? item.call.name] = asJson(item.call.result);
  }
  return JSON.stringify(
    {
      site: hostOf(info.origin),
      about: info.title,
      now: new Date(info.createdAt).toISOString(),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      tools: tools.map(({ name, description, inputSchema, annotations }) => ({
        name,
        description,
        inputSchema: inputSchema ?? { type: 'object', properties: {} },
        ...(annotations ? { annotations } : {}),
      })),
      results,
      cases: [
        { id: `recorded-${info.id}`, turns: turns.filter((turn) => !turn.byHand).map(toTurn) },
      ],
    },
    null,
    2,
  );
}

function toTurn(turn: TranscriptTurn) {
  const calls = turn.items.flatMap((item) =>
    item.kind === 'call' && ['done', 'failed', 'denied'].includes(item.call.state)
      ? [{ tool: item.call.tool?.name ?? item.call.name, args: item.call.arguments }]
      : [],
  );
  const answers = turn.items.flatMap((item) =>
    item.kind === 'question' && item.question.answer !== undefined
      ? [answerText(item.question.answer)]
      : [],
  );
  return { ask: turn.ask, calls, ...(answers.length > 0 ? { answers } : {}) };
}

const answerText = (answer: unknown): string =>
  typeof answer === 'string' ? answer : JSON.stringify(answer);

function asJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : 'recorded';
}
