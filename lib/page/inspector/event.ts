import type { CutText, FieldChange, PageEntry, Place } from './wire';

/** The document that something happened in, as the browser says. */
export interface InspectedDocument {
  documentId: string;
  frameId: number;
  origin: string;
  url: string;
}

/** How a call that was not Pagehand's ended. `gone`: its document went away before. */
export interface CallEnd {
  outcome: 'result' | 'error' | 'cancelled' | 'gone';
  ms?: number;
  said?: CutText;
}

/** Something that the page itself did, as the log shows it; unlike the agent's events never stored. */
export type PageEvent = {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  documentId: string;
  frameId: number;
  origin: string;
} & (
  | { type: 'page-watched'; url: string; late: boolean }
  | {
      type: 'page-tool-registered';
      tool: string;
      form: boolean;
      found: boolean;
      description: string;
      places: Place[];
    }
  | { type: 'page-tool-removed'; tool: string; form: boolean }
  | {
      type: 'page-tool-changed';
      tool: string;
      form: boolean;
      changes: FieldChange[];
      places: Place[];
    }
  | {
      type: 'page-call';
      tool: string;
      by: 'page' | 'other';
      elsewhere: boolean;
      args?: CutText;
      places: Place[];
      end?: CallEnd;
    }
  | { type: 'page-left-out'; count: number }
);
export type PageEventType = PageEvent['type'];

/** Where a tool comes from. Of a form there are no places: the element itself is it. */
export interface Registration {
  form: boolean;
  places: readonly Place[];
  /** The document's address, for DevTools to find its frame by; absent for the page itself. */
  frameUrl?: string;
}

export interface PageLog {
  events: readonly PageEvent[];
  /** By the key of the tool. */
  registrations: ReadonlyMap<string, Registration>;
  /** Documents that were there before the inspector. */
  late: ReadonlySet<string>;
  /** Calls that have not ended: document and call → id of the event. */
  open: ReadonlyMap<string, string>;
  /** Events so far, those dropped since included. */
  count: number;
}

export const EMPTY_PAGE_LOG: PageLog = {
  events: [],
  registrations: new Map(),
  late: new Set(),
  open: new Map(),
  count: 0,
};

const MAX_EVENTS = 1000;
const MAX_KEPT = 3000;
/** An entry may wait until its page is loaded; a page that lies about its time lies within this. */
const MAX_AGE_MS = 600_000;

/** The log with what a document's inspector told, in the order it came; the oldest go. */
export function withEntries(
  log: PageLog,
  from: InspectedDocument,
  entries: readonly PageEntry[],
  leftOut: number,
  now: number,
): PageLog {
  const { documentId, frameId, origin } = from;
  const events = [...log.events];
  const registrations = new Map(log.registrations);
  const late = new Set(log.late);
  const open = new Map(log.open);
  let { count } = log;
  const stamp = (at: number) => ({
    id: `page-${++count}`,
    at: Math.min(now, Math.max(now - MAX_AGE_MS, at)),
    documentId,
    frameId,
    origin,
  });
  const keyOf = (tool: string) => `${documentId}/${tool}`;
  const register = (entry: { tool: string; form: boolean; places: Place[] }) => {
    const { tool, form, places } = entry;
    const key = keyOf(tool);
    registrations.delete(key);
    registrations.set(key, { form, places, ...(frameId !== 0 && { frameUrl: from.url }) });
    dropOldest(registrations, MAX_KEPT);
  };
  const leave = (n: number, at: number) => {
    const last = events.at(-1);
    if (last?.type === 'page-left-out' && last.documentId === documentId)
      events[events.length - 1] = { ...last, count: last.count + n };
    else if (n > 0) events.push({ ...stamp(at), type: 'page-left-out', count: n });
  };

  for (const entry of entries) {
    const { at } = entry;
    switch (entry.kind) {
      case 'watching':
        if (entry.late) late.add(documentId);
        else late.delete(documentId);
        dropOldest(late, MAX_KEPT);
        events.push({ ...stamp(at), type: 'page-watched', url: from.url, late: entry.late });
        break;
      case 'registered': {
        const { kind, ...rest } = entry;
        register(rest);
        events.push({ ...rest, ...stamp(at), type: 'page-tool-registered' });
        break;
      }
      case 'changed': {
        const { kind, ...rest } = entry;
        register(rest);
        events.push({ ...rest, ...stamp(at), type: 'page-tool-changed' });
        break;
      }
      case 'removed': {
        const { kind, ...rest } = entry;
        registrations.delete(keyOf(entry.tool));
        events.push({ ...rest, ...stamp(at), type: 'page-tool-removed' });
        break;
      }
      case 'called': {
        const { kind, call, ...rest } = entry;
        const event = { ...rest, ...stamp(at), type: 'page-call' as const };
        events.push(event);
        open.set(keyOf(call), event.id);
        dropOldest(open, MAX_KEPT);
        break;
      }
      case 'ended': {
        const { outcome, ms, said } = entry;
        end(events, open, keyOf(entry.call), { outcome, ms, ...(said && { said }) });
        break;
      }
      case 'left-out':
        leave(entry.count, at);
        break;
    }
  }
  leave(leftOut, now);
  return { events: events.slice(-MAX_EVENTS), registrations, late, open, count };
}

/** The log after a document went away: what it had begun has no end. */
export function withoutDocument(log: PageLog, documentId: string): PageLog {
  const events = [...log.events];
  const open = new Map(log.open);
  for (const key of log.open.keys())
    if (key.startsWith(`${documentId}/`)) end(events, open, key, { outcome: 'gone' });
  return { ...log, events, open };
}

function end(events: PageEvent[], open: Map<string, string>, key: string, how: CallEnd): void {
  const id = open.get(key);
  open.delete(key);
  const at = id === undefined ? -1 : events.findLastIndex((event) => event.id === id);
  const event = events[at];
  if (event?.type === 'page-call') events[at] = { ...event, end: how };
}

function dropOldest(kept: Map<string, unknown> | Set<string>, most: number): void {
  for (const key of kept.keys()) {
    if (kept.size <= most) return;
    kept.delete(key);
  }
}
