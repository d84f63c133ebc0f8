import { thrownText } from '../surfaces/text';
import { cutJson, cutText } from './cut';
import type { Caller } from './stack';
import { type CutText, MAX_TEXT, type PageEntry } from './wire';
import { quietly, watchOutcome, withMember } from './wrap';

type Said = string | CutText;
type Execute = (...args: unknown[]) => unknown;
export type Tell = (entry: Unstamped) => void;
export type Unstamped = PageEntry extends infer E
  ? E extends PageEntry
    ? Omit<E, 'at'>
    : never
  : never;

/** A call that was begun and whose tool has not been seen to run. */
interface Pending {
  tool: string;
  /** What the tool itself threw: the browser tells its caller less. */
  threw?: string;
  /** Asked of a page's own context, which may ask the browser's in its turn. */
  outer?: boolean;
}

/** What a script asks a context for. */
export interface Asked {
  tool: string;
  input: unknown;
  /** The tool is that of another frame. */
  elsewhere: boolean;
  frame?: Window;
  signal?: AbortSignal;
}

/** A call is claimed by another frame at once before it comes. */
const CLAIM_MS = 5000;
const MAX_PENDING = 500;

/**
 * Sorts out whose call each run of a tool is. The same run can show in several places: where a
 * script asks for it, in the tool's own function, and as an event of the browser's.
 */
export function watchCalls(tell: Tell, caller: () => Caller) {
  let ids = 0;
  /** Asked for, not yet seen to run, oldest first. Pagehand's own are among them, to be left out. */
  const pending = new Set<Pending>();
  /** Runs by tool that were seen and whose event is still to come. */
  const ran = new Map<string, number>();
  /** Calls of somebody else that are under way. */
  const open = new Map<string, { tool: string; start: number }>();
  /** How many `executeTool`s are on the stack at this moment. */
  let inside: Pending | undefined;

  const begin = (pendingCall: Pending) => {
    pending.add(pendingCall);
    if (pending.size > MAX_PENDING) for (const oldest of pending) return pending.delete(oldest);
    return true;
  };
  const find = (fits: (call: Pending) => boolean) => Array.from(pending).find(fits);
  const take = (tool: string): Pending | undefined => {
    const call = find((other) => other.tool === tool);
    if (call) pending.delete(call);
    return call;
  };
  const end = (
    call: string,
    start: number,
    outcome: 'result' | 'error' | 'cancelled',
    said?: Said,
  ) =>
    tell({
      kind: 'ended',
      call,
      outcome,
      ms: performance.now() - start,
      ...(said !== undefined && {
        said: typeof said === 'string' ? cutText(said, MAX_TEXT) : said,
      }),
    });
  const began = (
    tool: string,
    by: 'page' | 'other',
    more: { args?: unknown; elsewhere?: boolean; places?: Caller['places'] },
  ) => {
    const call = `${++ids}`;
    const { args, elsewhere = false, places = [] } = more;
    tell({
      kind: 'called',
      call,
      tool,
      by,
      elsewhere,
      ...(args !== undefined && { args: cutJson(args, MAX_TEXT) }),
      places,
    });
    return call;
  };

  /** A frame of the same origin is about to call this tool of ours, and has told of it itself. */
  const claim = (tool: string) => {
    const call = { tool };
    begin(call);
    setTimeout(() => pending.delete(call), CLAIM_MS);
  };

  return {
    claim,

    /** A script asks a context to run a tool. */
    asked(
      inner: Execute,
      self: unknown,
      args: unknown[],
      { tool, input, elsewhere, signal }: Asked,
      own: boolean,
    ): unknown {
      let mine: Pending = { tool, outer: !own };
      let call: string | undefined;
      const start = performance.now();
      quietly(() => {
        const { pagehand, places } = caller();
        if (inside) return;
        const around = own && find((other) => !!other.outer && other.tool === tool);
        if (around) mine = around;
        else if (pagehand) {
          // Of the agent, or of another frame that has told of it.
          mine = take(tool) ?? mine;
        } else {
          const other = places[0] && /^[a-z]+-extension:/.test(places[0].url);
          call = began(tool, other ? 'other' : 'page', { args: input ?? {}, elsewhere, places });
        }
        if (!elsewhere) begin(mine);
      });
      const settled = (outcome: 'result' | 'error' | 'cancelled', said?: Said) => {
        pending.delete(mine);
        if (call !== undefined) end(call, start, outcome, said);
      };
      const failed = (error: unknown) =>
        settled(signal?.aborted ? 'cancelled' : 'error', mine.threw ?? thrownText(error));
      const outer = inside;
      inside = mine;
      try {
        return watchOutcome(
          Reflect.apply(inner, self, args),
          (value) => settled('result', value === null ? undefined : cutJson(value, MAX_TEXT)),
          failed,
        );
      } catch (error) {
        quietly(() => failed(error));
        throw error;
      } finally {
        inside = outer;
      }
    },

    /** The tool to hand on in place of the page's, so that its runs are seen. */
    seen<T extends object>(tool: T, name: string, native: boolean, stopped: AbortSignal): T {
      const execute: unknown = (tool as { execute?: unknown }).execute;
      if (typeof execute !== 'function') return tool;
      const around = new Proxy(execute as Execute, {
        apply(inner, self, args: unknown[]) {
          if (stopped.aborted) return Reflect.apply(inner, self, args);
          let asked: Pending | undefined;
          let call: string | undefined;
          const start = performance.now();
          quietly(() => {
            const within = inside?.tool === name ? inside : undefined;
            if (!within && caller().pagehand) return;
            asked = within ?? take(name);
            if (asked) pending.delete(asked);
            if (native) ran.set(name, (ran.get(name) ?? 0) + 1);
            if (asked) return;
            call = began(name, 'other', { args: args[0] });
            open.set(call, { tool: name, start });
          });
          const failed = (error: unknown) => {
            if (asked) asked.threw = thrownText(error);
            if (call !== undefined && open.delete(call))
              end(call, start, 'error', thrownText(error));
          };
          const done = (value: unknown) => {
            if (call === undefined || !open.delete(call)) return;
            end(call, start, 'result', value === undefined ? undefined : cutJson(value, MAX_TEXT));
          };
          const outer = inside;
          // What the tool asks for in its turn is a call of its own.
          inside = undefined;
          try {
            return watchOutcome(Reflect.apply(inner, self, args), done, failed);
          } catch (error) {
            quietly(() => failed(error));
            throw error;
          } finally {
            inside = outer;
          }
        },
      });
      return withMember(tool, 'execute', around);
    },

    /** The browser says that a tool was started. */
    activated(tool: string): void {
      const count = ran.get(tool) ?? 0;
      if (count > 0) {
        if (count === 1) ran.delete(tool);
        else ran.set(tool, count - 1);
        return;
      }
      if (take(tool)) return;
      const call = began(tool, 'other', {});
      if (open.size < MAX_PENDING) open.set(call, { tool, start: performance.now() });
    },

    /** A caller gave its call up. */
    cancelled(tool: string): void {
      for (const [call, run] of open)
        if (run.tool === tool) {
          open.delete(call);
          end(call, run.start, 'cancelled');
          return;
        }
    },
  };
}
