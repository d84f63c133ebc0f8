import { BRIDGE_NAME } from '../tools/discovery/bridge';
import { promote, touchPromotion } from '../tools/discovery/promotion';
import { searchedEvent, searchTools } from '../tools/discovery/search';
import { type Choice, chooseTools } from '../tools/exposure/choose';
import type { ToolEntry } from '../tools/exposure/entry';
import { presentationFor } from '../tools/exposure/presentation';
import type { ToolRegistry } from '../tools/exposure/registry';
import { leftForLog } from '../tools/exposure/report';
import { unknownToolAnswer } from '../tools/exposure/unknown';
import { slotsOf } from '../tools/render/p-format';
import type { CompactTool, JsonObject, JsonValue, PageTool } from '../tools/tool';
import { builtInTools } from './builtins';
import type { ToolRef } from './events';
import { type OwnTool, schemaOfOwn } from './own-tools';
import type { Turn } from './turn';

/** A tool as a call names it. */
export type OfferedTool =
  | { kind: 'page'; name: string; tool: PageTool; compact: CompactTool; deferred: boolean }
  | { kind: 'own'; name: string; tool: OwnTool; compact: CompactTool };

/** What one step works with. */
export interface StepTools {
  choice: Choice;
  /** In the prompt, in this order. */
  shown: CompactTool[];
  /** Names the parser may accept: all that can be called, shown or not. */
  names: ReadonlySet<string>;
  /** Arguments by position, for P-Format. */
  slots: ReadonlyMap<string, { name: string; type?: string }[]>;
  /** Finds what a call names, deferred tools included. */
  find(name: string): OfferedTool | undefined;
  /**
   * The answer to a call of a name that is not offered. Absent where the prompt holds every name that
   * can be called: listing them is then the better answer.
   */
  unknown?: (name: string, args: JsonValue | undefined) => string;
}

export const refOf = (offered: OfferedTool): ToolRef =>
  offered.kind === 'own'
    ? { key: ownKey(offered.name), name: offered.name, origin: 'pagehand' }
    : {
        key: offered.tool.key,
        name: offered.tool.name,
        ...(offered.tool.title ? { title: offered.tool.title } : {}),
        origin: offered.tool.origin,
      };

const ownKey = (name: string) => `pagehand/${name}`;

/** Chooses what this step's prompt holds of a freshly collected catalog. */
export function chooseStepTools(
  turn: Turn,
  tools: readonly PageTool[],
  costs: { instructions: number; history: number },
): StepTools {
  const { options, limits } = turn;
  const own = new Map(
    [...builtInTools(options.page, options.shared), ...(options.tools ?? [])].map((tool) => [
      tool.name,
      tool,
    ]),
  );
  const byWindow = presentationFor(options.engine.contextWindow, turn.dialect.listing);
  const { preparation, discovery } = options;
  const presentation = preparation ? { ...byWindow, preparation, small: false } : byWindow;
  const choice = chooseTools({
    tools,
    own: [...own.values()].map((tool) => ({
      key: ownKey(tool.name),
      name: tool.name,
      description: tool.description,
      inputSchema: schemaOfOwn(tool),
    })),
    site: options.settings.site,
    ask: options.ask,
    ranker: turn.ranker,
    recent: [...turn.done.map((call) => call.name), ...(options.history.recentTools ?? [])],
    pinned: options.pinned ?? [],
    promotions: turn.promotions,
    window: options.engine.contextWindow,
    ...costs,
    reply: limits.maxReplyTokens,
    presentation,
    ...(discovery ? { discovery } : {}),
    max: limits.maxTools,
    count: (text) => options.engine.countTokens(text),
    ...(turn.choice === undefined ? {} : { previous: turn.choice }),
  });
  turn.choice = choice;
  turn.promotions = choice.promotions;
  return stepTools(turn, choice, own);
}

function stepTools(turn: Turn, choice: Choice, own: ReadonlyMap<string, OwnTool>): StepTools {
  const { registry } = choice;
  const callable = registry.entries.filter((entry) => entry.exposure !== 'hidden');
  const names = new Set(callable.map((entry) => entry.name));
  if (registry.canSearch) names.add(BRIDGE_NAME);
  const shown = new Set(choice.tools.map((tool) => tool.name));
  const isAllShown = callable.every((entry) => shown.has(entry.name));
  return {
    choice,
    shown: choice.tools.map((tool) => withRequirement(turn, registry, own, tool)),
    names,
    slots: new Map(choice.tools.map((tool) => [tool.name, slotsOf(tool.parameters)])),
    find(name) {
      const found = registry.dispatch(name);
      if (found.kind !== 'tool') return undefined;
      return offeredOf(choice, found.entry, found.deferred, own);
    },
    ...(isAllShown
      ? {}
      : {
          unknown: (name, args) =>
            unknownToolAnswer({
              name,
              arguments: args,
              callable: callable.map((entry) => entry.name),
              canSearch: registry.canSearch,
            }).message,
        }),
  };
}

/** The tool with a sentence on what has to run before it, which planning models follow well. */
function withRequirement(
  turn: Turn,
  registry: ToolRegistry,
  own: ReadonlyMap<string, OwnTool>,
  tool: CompactTool,
): CompactTool {
  const entry = registry.get(tool.name);
  if (entry === undefined) return tool;
  const wanted =
    entry.source === 'page'
      ? requiredBefore(turn, entry.tool)
      : (own.get(entry.name)?.requires ?? []);
  if (wanted.length === 0) return tool;
  const sentence = `Use ${wanted.join(' and ')} before ${tool.name}.`;
  return { ...tool, description: `${sentence} ${tool.description}` };
}

/** What the site's recipe wants to have run before a tool of the page. */
export function requiredBefore(turn: Turn, tool: PageTool): readonly string[] {
  const requires = turn.options.settings.site(tool.origin).recipe?.requires;
  return requires !== undefined && Object.hasOwn(requires, tool.name)
    ? (requires[tool.name] ?? [])
    : [];
}

function offeredOf(
  choice: Choice,
  entry: ToolEntry,
  deferred: boolean,
  own: ReadonlyMap<string, OwnTool>,
): OfferedTool | undefined {
  const { name } = entry;
  const compact = choice.present(entry);
  if (entry.source === 'page') return { kind: 'page', name, tool: entry.tool, compact, deferred };
  const tool = own.get(name);
  return tool === undefined ? undefined : { kind: 'own', name, tool, compact };
}

/** What the step shows and leaves, for the log. */
export const chosenOf = ({ choice }: StepTools) => ({
  offered: choice.offered.map(({ name, key, why, score, bytes, tokens }) => ({
    name,
    key,
    why,
    ...(score === undefined ? {} : { score }),
    bytes,
    tokens,
  })),
  left: leftForLog(choice.left),
});

/** Whether a call is for Pagehand's own `tool_search`. */
export const isSearch = (tools: StepTools, name: string): boolean =>
  name === BRIDGE_NAME && tools.choice.registry.dispatch(name).kind === 'search';

/** Answers `tool_search` and promotes what it found into the steps that follow. */
export async function searchStep(
  turn: Turn,
  tools: StepTools,
  call: { callId: string; arguments: JsonObject },
): Promise<{ ok: boolean; text: string }> {
  const { engine, settings, ranker, rankMode } = turn.options;
  const answer = await searchTools(
    call.arguments,
    {
      deferred: tools.choice.registry.deferred(),
      policy: tools.choice.policy,
      bm25: turn.searchRanker,
      ...(ranker ? { ranker } : {}),
      ...(rankMode ? { mode: rankMode } : {}),
      prepare: tools.choice.present,
      maxAnswerBytes: Math.max(600, Math.floor(engine.contextWindow / 8) * 4),
      now: turn.now,
    },
    turn.signal,
  );
  turn.emit({
    type: 'tool-searched',
    ...searchedEvent(answer.facts, call.callId, settings.capture),
  });
  turn.promotions = promote(turn.promotions, answer.matches);
  return { ok: answer.ok, text: answer.text };
}

/** Tells that a deferred tool was called by its name, and keeps it in the prompt from here on. */
export function noteDeferredCall(turn: Turn, tools: StepTools, name: string, callId: string): void {
  const entry = tools.choice.registry.get(name);
  if (entry === undefined) return;
  turn.emit({ type: 'deferred-tool-call', callId, toolName: name });
  const isPromoted = turn.promotions.promoted.some((known) => known.key === entry.key);
  turn.promotions = isPromoted
    ? touchPromotion(turn.promotions, entry)
    : promote(turn.promotions, [entry]);
}
