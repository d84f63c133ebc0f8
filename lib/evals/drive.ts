import type { Engine } from '../agent/engine';
import type { AgentEvent, EventBody } from '../agent/events';
import { factsOf } from '../agent/facts';
import { exchangeOf } from '../agent/history';
import type { AgentSettings, Exchange, History } from '../agent/options';
import type { AgentPage, AgentUser } from '../agent/ports';
import { runLocalAgent } from '../agent/run';
import { foldTranscript } from '../agent/transcript';
import type { JsonObject, JsonValue, PageTool } from '../tools/tool';
import type { EvalCase, EvalTurn } from './format';
import type { TurnTrace } from './score';

const DEFAULT_NOW = '2026-11-30T09:00:00+01:00';
const DEFAULT_ZONE = 'Europe/Berlin';

const SETTINGS: AgentSettings = {
  ranking: 'router',
  capture: true,
  site: () => ({ defer: 'auto', tools: {} }),
};

export interface DriveOptions {
  settings?: Partial<AgentSettings>;
  /** In place of the case's own, as when a page has changed since it was recorded. */
  tools?: readonly PageTool[];
  signal?: AbortSignal;
}

/** Runs a case through the real loop, against a page and a user that follow its script. */
export async function driveCase(
  one: EvalCase,
  engine: Engine,
  options: DriveOptions = {},
): Promise<TurnTrace[]> {
  const traces: TurnTrace[] = [];
  const exchanges: Exchange[] = [];
  let history: History = { brief: '', exchanges };
  const signal = options.signal ?? new AbortController().signal;
  const now = Date.parse(one.site.now ?? DEFAULT_NOW);
  const facts = factsOf({
    now: new Date(now),
    timeZone: one.site.timeZone ?? DEFAULT_ZONE,
    language: 'en',
    title: one.site.about,
    url: `https://${one.site.site}.example/`,
  });
  for (const turn of one.turns) {
    const trace = emptyTrace();
    const started = performance.now();
    let said = '';
    const events: AgentEvent[] = [];
    let brief = history.brief;
    await runLocalAgent({
      engine,
      page: scriptedPage(one, options.tools),
      user: scriptedUser(turn, trace),
      emit: (event) => {
        events.push({ ...event, id: '', at: now, conversationId: '', turnId: '' });
        said += note(trace, event);
        if (event.type === 'brief-updated') brief = event.brief;
      },
      ask: turn.ask,
      history,
      settings: { ...SETTINGS, ...options.settings },
      facts,
      approvals: { remembered: new Set(), remember: () => {} },
      signal,
      // The clock stands still where the case does: "tomorrow" is the same day on every run.
      now: () => now,
    });
    trace.ms = performance.now() - started;
    trace.text = said;
    const [done] = foldTranscript(events);
    exchanges.push({ ...(done ? exchangeOf(done) : {}), ask: turn.ask, answer: said });
    history = { brief, exchanges };
    traces.push(trace);
  }
  return traces;
}

const emptyTrace = (): TurnTrace => ({
  calls: [],
  invalid: [],
  asked: [],
  text: '',
  end: '',
  steps: 0,
  tokens: 0,
  ms: 0,
});

/** Keeps what scoring needs of an event; gives the prose in it. */
function note(trace: TurnTrace, event: EventBody): string {
  switch (event.type) {
    case 'step-started':
      trace.steps = event.step;
      return '';
    case 'model-replied':
      trace.tokens += event.promptTokens + event.completionTokens;
      return '';
    case 'call-proposed':
      if (event.tool.origin !== 'pagehand') {
        trace.calls.push({
          name: event.tool.name,
          arguments: objectOf(event.arguments),
          unsourced: event.unsourced,
        });
      }
      return '';
    case 'call-invalid':
      trace.invalid.push(event.message);
      return '';
    case 'text':
      return event.channel === 'prose' ? event.text : '';
    case 'turn-ended':
      trace.end = event.reason;
      return event.message;
    default:
      return '';
  }
}

/** Arguments out of an event, which types them as unknown JSON. */
function objectOf(value: unknown): JsonObject {
  const copy: JsonValue = JSON.parse(JSON.stringify(value ?? null));
  return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? copy : {};
}

function scriptedPage(one: EvalCase, given?: readonly PageTool[]): AgentPage {
  const origin = `https://${one.site.site}.example`;
  const declared = one.site.tools.map(
    (tool): PageTool => ({
      ...tool,
      key: `doc/${tool.name}`,
      origin,
      documentId: 'doc',
      frameId: 0,
      surface: 'native',
    }),
  );
  const tools = [...(given ?? declared)];
  return {
    collect: async () => ({ tabId: 1, url: `${origin}/`, title: one.site.about, tools, notes: [] }),
    call: async (tool) => {
      const result = Object.hasOwn(one.results, tool.name) ? one.results[tool.name] : null;
      const value = result === null || result === undefined ? null : textOf(result);
      return { kind: 'result', value };
    },
  };
}

const textOf = (result: JsonValue): string =>
  typeof result === 'string' ? result : JSON.stringify(result);

/** Allows everything, so that what a case forbids is never stopped by the user; answers as scripted. */
function scriptedUser(turn: EvalTurn, trace: TurnTrace): AgentUser {
  const answers = [...(turn.answers ?? [])];
  return {
    approve: async () => ({ decision: 'allow', by: 'user', remember: false }),
    ask: async (question) => {
      trace.asked.push({
        question: question.text,
        missing: question.form?.missing ?? [],
        callsBefore: trace.calls.length,
      });
      return answers.shift() ?? null;
    },
  };
}
