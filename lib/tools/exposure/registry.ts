import { BRIDGE_NAME } from '../discovery/bridge';
import { byCodeUnit } from '../render/p-format';
import type { CompactTool, JsonValue } from '../tool';
import type { ToolEntry } from './entry';
import { type UnknownTool, unknownToolAnswer } from './unknown';

/** Where a name leads. */
export type Dispatch =
  /** `deferred`: the model called a tool by its name that was not among the direct ones. */
  | { kind: 'tool'; entry: ToolEntry; deferred: boolean }
  /** Pagehand's own `tool_search`. */
  | { kind: 'search' }
  | ({ kind: 'unknown' } & UnknownTool);

interface DispatchOptions {
  /** Who asks. The host reaches hidden tools too; a model is told they do not exist. */
  by?: 'model' | 'host';
  /** What the call was given, for the answer to an unknown name. */
  arguments?: JsonValue;
}

/** The tools of one step by the names the model knows. */
export interface ToolRegistry {
  /** Every tool, by name. */
  readonly entries: readonly ToolEntry[];
  /** The direct tools as they are written to the model, by name. */
  schemas(): CompactTool[];
  /** The deferred tools, by name. */
  deferredSchemas(): CompactTool[];
  /** The deferred entries: what `tool_search` looks through. */
  deferred(): readonly ToolEntry[];
  get(name: string): ToolEntry | undefined;
  /** Whether `tool_search` is offered: something is deferred, discovery is on, and no tool of the page has that name. */
  readonly canSearch: boolean;
  /** Finds what a call is for. Runs nothing: validation, approval and the call itself are the caller's. */
  dispatch(name: string, options?: DispatchOptions): Dispatch;
}

export interface RegistryOptions {
  /** How an entry is written to the model. */
  prepare: (entry: ToolEntry) => CompactTool;
  /** Off: deferred tools can be called by name but not searched. Default on. */
  discovery?: boolean;
}

/** A registry over the tools of a catalog and their exposure. Names must be unique. */
export function createRegistry(
  entries: readonly ToolEntry[],
  options: RegistryOptions,
): ToolRegistry {
  const sorted = [...entries].sort((a, b) => byCodeUnit(a.name, b.name));
  const byName = new Map(sorted.map((entry) => [entry.name, entry]));
  const of = (exposure: ToolEntry['exposure']): ToolEntry[] =>
    sorted.filter((entry) => entry.exposure === exposure);
  const deferred = of('deferred');
  const canSearch = options.discovery !== false && deferred.length > 0 && !byName.has(BRIDGE_NAME);

  return {
    entries: sorted,
    canSearch,
    schemas: () => of('direct').map(options.prepare),
    deferredSchemas: () => deferred.map(options.prepare),
    deferred: () => deferred,
    get: (name) => byName.get(name),
    dispatch(name, { by = 'model', arguments: args } = {}) {
      const entry = byName.get(name);
      if (entry !== undefined && (by === 'host' || entry.exposure !== 'hidden')) {
        return { kind: 'tool', entry, deferred: entry.exposure === 'deferred' };
      }
      if (entry === undefined && name === BRIDGE_NAME && canSearch) return { kind: 'search' };
      const callable = sorted.filter((other) => other.exposure !== 'hidden');
      return {
        kind: 'unknown',
        ...unknownToolAnswer({
          name,
          arguments: args,
          callable: callable.map((other) => other.name),
          canSearch,
        }),
      };
    },
  };
}
