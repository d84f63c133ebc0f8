import type { Engine } from '../agent/engine';
import type { AgentEvent, EventBody } from '../agent/events';
import { factsOf } from '../agent/facts';
import { exchangeOf } from '../agent/history';
import type { AgentSettings, Exchange, History } from '../agent/options';
import type { AgentPage, AgentUser } from '../agent/ports';
import { runLocalAgent } from '../agent/run';
import { foldTranscript } from '../agent/transcript';
import type { JsonObject, JsonValue, PageTool, ToolDescriptor } from '../tools/tool';
import type { EvalCase } from './format';
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

/** A page and a user that follow a script. */
export interface Script {
  origin: string;
  title: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** IANA name. */
  timeZone: string;
  tools: readonly ToolDescriptor[];
  /** What a tool returns the `nth` time it is called in a turn, from 1; `null`: nothing. */
  resultOf(tool: string, nth: number): JsonValue;
  /** What was said and done before the first turn. */
  before: readonly Exchange[];
  turns: readonly ScriptTurn[];
}

export interface ScriptTurn {
  ask: string;
  /** What the user answers to questions, in order; with none left the question is closed. */
  answers?: readonly (string | JsonObject)[] | undefined;
}

/** A case of a site as a script. */
export function scriptOf(one: EvalCase): Script {
  const { site, results, turns } = one;
  return {
    origin: `https://${site.site}.example`,
    title: site.about,
    now: Date.parse(site.now ?? DEFAULT_NOW),
    timeZone: site.timeZone ?? DEFAULT_ZONE,
    tools: site.tools,
    resultOf: (tool) => (Object.hasOwn(results, tool) ? (results[tool] ?? null) : null),
    before: [],
    turns,
  };
}

/** What the loop is told about the moment and the place of a script. */
export const factsOfScript = ({ now, timeZone, title, origin }: Script): Record<string, string> =>
  factsOf({ now: new Date(now), timeZone, language: 'en', title, url: `${origin}/` });

/** Runs a case through the real loop, against a page and a user that follow its script. */
export const driveCase = (
  one: EvalCase,
  engine: Engine,
  options: DriveOptions = {},
): Promise<TurnTrace[]> => driveScript(scriptOf(one), engine, options);

/** Runs the turns of a script through the real loop, each with what was said before it. */
export async function driveScript(
  script: Script,
  engine: Engine,
  options: DriveOptions = {},
): Promise<TurnTrace[]> {
  const traces: TurnTrace[] = [];
  const exchanges: Exchange[] = [...script.before];
  let history: History = { brief: '', exchanges };
  const signal = options.signal ?? new AbortController().signal;
  const { now } = script;
  for (const turn of script.turns) {
    const trace = emptyTrace();
    const started = performance.now();
    let said = '';
    const events: AgentEvent[] = [];
    const proposed = new Map<string, TurnTrace['calls'][number]>();
    let brief = history.brief;
    await runLocalAgent({
      engine,
      page: scriptedPage(script, options.tools),
      user: scriptedUser(turn, trace),
      emit: (event) => {
        events.push({ ...event, id: '', at: now, conversationId: '', turnId: '' });
        said += note(trace, proposed, event);
        if (event.type === 'brief-updated') brief = event.brief;
      },
      ask: turn.ask,
      history,
      settings: { ...SETTINGS, ...options.settings },
      facts: factsOfScript(script),
      approvals: { remembered: new Set(), remember: () => {} },
      signal,
      // The clock stands still where the case does: "tomorrow" is the same day on every run.
      now: () => now,
    });
    trace.ms = performance.now() - started;
    trace.text = said;
    const [done] = foldTranscript(events);
    const exchange = { ...(done ? exchangeOf(done) : {}), ask: turn.ask, answer: said };
    exchanges.push(exchange);
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
function note(
  trace: TurnTrace,
  proposed: Map<string, TurnTrace['calls'][number]>,
  event: EventBody,
): string {
  switch (event.type) {
    case 'step-started':
      trace.steps = event.step;
      return '';
    case 'model-replied':
      trace.tokens += event.promptTokens + event.completionTokens;
      return '';
    case 'call-proposed':
      if (event.tool.origin !== 'pagehand') {
        const { name } = event.tool;
        const call = { name, arguments: objectOf(event.arguments), done: false, result: null };
        trace.calls.push(call);
        proposed.set(event.callId, call);
      }
      return '';
    case 'call-finished': {
      const call = proposed.get(event.callId);
      if (call) Object.assign(call, { done: event.ok, result: event.result });
      return '';
    }
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

function scriptedPage(script: Script, given?: readonly PageTool[]): AgentPage {
  const { origin, title } = script;
  const declared = script.tools.map(
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
  const called = new Map<string, number>();
  return {
    collect: async () => ({ tabId: 1, url: `${origin}/`, title, tools, notes: [] }),
    call: async ({ name }) => {
      const nth = (called.get(name) ?? 0) + 1;
      called.set(name, nth);
      const result = script.resultOf(name, nth);
      return { kind: 'result', value: result === null ? null : textOf(result) };
    },
  };
}

const textOf = (result: JsonValue): string =>
  typeof result === 'string' ? result : JSON.stringify(result);

/** Allows everything, so that what a case forbids is never stopped by the user; answers as scripted. */
function scriptedUser(turn: ScriptTurn, trace: TurnTrace): AgentUser {
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
