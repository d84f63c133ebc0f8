import { browser } from 'wxt/browser';
import * as z from 'zod';
import { originOf } from '../tools/origin';
import { within } from './ask';
import type { CheckedList } from './check';

/** A frame of a tab with what it reported. */
export interface ReportedFrame {
  frameId: number;
  parentFrameId: number;
  documentId: string;
  /** By the browser's word: see {@link originOfFrame}. */
  origin: string;
  report: CheckedList;
}

/** What the browser knows of a frame. */
export interface KnownFrame {
  frameId: number;
  parentFrameId: number;
  url: string;
}

/** Addresses of documents that have the origin of those who made them. */
const INHERITS = /^about:(?:blank|srcdoc)(?:[?#]|$)/;

/**
 * The origin of a frame's document. Its own script says which (`claimed`), but a renderer that was
 * taken over says anything: the address that the browser has committed decides. A document without an
 * address of its own has its embedder's origin or none; one that claims to have none, as in a sandbox,
 * is believed, since it gains nothing by it.
 */
export function originOfFrame(
  frame: KnownFrame,
  all: readonly KnownFrame[],
  claimed: string,
): string {
  if (claimed === 'null') return 'null';
  const byId = new Map(all.map((other) => [other.frameId, other]));
  let at: KnownFrame | undefined = frame;
  for (let left = all.length; at && INHERITS.test(at.url) && left > 0; left--) {
    at = byId.get(at.parentFrameId);
  }
  return (at && originOf(at.url)) ?? 'null';
}

/** Where a frame stands in its embedder, and what its own iframes are delegated. */
export const PlacedFrame = z.object({
  /** Place in `parent.frames`: comparable across origins, unlike the elements. */
  index: z.number().int(),
  delegations: z
    .array(z.object({ index: z.number().int(), allow: z.string(), src: z.string() }))
    .max(200),
});
export type PlacedFrame = z.infer<typeof PlacedFrame>;

/**
 * The frames that may offer tools. A frame of another origin than its embedder's may only where
 * every such embedder delegated it (`allow="tools"`), as the browser's own WebMCP has it. The
 * parents tell which of their iframes that are, by place: a frame cannot vouch for itself.
 */
export async function delegatedFrames(
  tabId: number,
  frames: ReportedFrame[],
): Promise<Set<ReportedFrame>> {
  const byId = new Map(frames.map((frame) => [frame.frameId, frame]));
  const known = new Map<ReportedFrame, Promise<boolean>>();
  const places = new Map<ReportedFrame, Promise<PlacedFrame | undefined>>();
  const place = (frame: ReportedFrame) => {
    const there = places.get(frame) ?? placeOf(tabId, frame.documentId);
    places.set(frame, there);
    return there;
  };
  const decide = async (frame: ReportedFrame, depth: number): Promise<boolean> => {
    if (frame.parentFrameId < 0) return true;
    const parent = byId.get(frame.parentFrameId);
    if (!parent || depth > 50) return false;
    if (!(await allowed(parent, depth + 1))) return false;
    const { origin } = frame;
    if (origin === parent.origin && origin !== 'null') return true;
    const [inside, around] = await Promise.all([place(frame), place(parent)]);
    return !!inside && !!around && delegates(around, parent.origin, inside.index, origin);
  };
  const allowed = (frame: ReportedFrame, depth: number) => {
    const answer = known.get(frame) ?? decide(frame, depth);
    known.set(frame, answer);
    return answer;
  };
  const answers = await Promise.all(frames.map((frame) => allowed(frame, 0)));
  return new Set(frames.filter((_, at) => answers[at]));
}

/** Whether the iframe at that place is delegated `tools` by its `allow` attribute. */
export function delegates(
  { delegations }: PlacedFrame,
  parentOrigin: string,
  index: number,
  origin: string,
): boolean {
  const found = delegations.find((delegation) => delegation.index === index);
  if (!found || index < 0) return false;
  for (const directive of found.allow.split(';')) {
    const [feature, ...to] = directive.trim().split(/\s+/);
    if (feature !== 'tools') continue;
    const list = to.length ? to : ["'src'"];
    return list.some((entry) => {
      if (entry === '*') return true;
      if (entry === "'self'") return origin === parentOrigin && origin !== 'null';
      if (entry === "'src'") return origin === 'null' || originOf(found.src) === origin;
      return originOf(entry) === origin;
    });
  }
  return false;
}

/** Asked only where frames of other origins offer tools: no page pays for it otherwise. */
async function placeOf(tabId: number, documentId: string): Promise<PlacedFrame | undefined> {
  const script = browser.scripting.executeScript({
    target: { tabId, documentIds: [documentId] },
    func: () => {
      const indexIn = (within: Window, frame: Window | null) => {
        for (let i = 0; i < within.length && i < 200; i++) if (within[i] === frame) return i;
        return -1;
      };
      const delegations = Array.from(
        document.querySelectorAll<HTMLIFrameElement>('iframe[allow*=tools]'),
        ({ contentWindow, allow, src }) => ({
          index: indexIn(window, contentWindow),
          allow: allow.slice(0, 5000),
          src: src.slice(0, 5000),
        }),
      );
      return {
        index: parent === window ? -1 : indexIn(parent, window),
        delegations: delegations.slice(0, 200),
      };
    },
  });
  const [found] = await within(2000, script, []);
  const parsed = PlacedFrame.safeParse(found?.result);
  return parsed.success ? parsed.data : undefined;
}
