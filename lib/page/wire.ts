/**
 * What the content scripts and the background say to each other. Types and plain constants only:
 * this module is bundled into scripts that load on every page, so it imports nothing.
 */

/** A tool as a frame reports it: flat, bounded, and nothing in it is trusted. */
export interface RawTool {
  name: string;
  title: string;
  description: string;
  /** JSON text, as schemas are compared and measured before anyone parses them; `''` = none. */
  schema: string;
  /** The annotations that were true, and `+` alone when the tool had an annotations object. */
  hints: string[];
  surface: RawSurface;
  /** Full length of what was cut or left out for size, by field. */
  cut?: { description?: number; schema?: number };
}
export type RawSurface = 'native' | 'shim' | 'polyfill' | 'form';

/** An iframe that may carry the `tools` permission, by its place in `window.frames`. */
export interface RawDelegation {
  index: number;
  allow: string;
  src: string;
}

export type ToContent =
  /** `settle` waits, bounded, until the page's tools have been quiet. */
  | { pagehand: 'list'; settle: boolean }
  | {
      pagehand: 'call';
      id: string;
      name: string;
      /** A JSON object, as text. */
      args: string;
      /** Text of the tool as last listed (`fingerprint`): anything else must not run. */
      expect: string;
    }
  | { pagehand: 'cancel'; id: string };

export interface ListReply {
  tools: RawTool[];
  /** Tools beyond `MAX_TOOLS` or without a usable name. */
  dropped: number;
  origin: string;
  /** Place of this frame in `parent.frames`; -1 for a top document. */
  index: number;
  delegations: RawDelegation[];
  /** Whether the isolated world has the browser's own WebMCP. */
  native: boolean;
  /** Whether the main-world script answered. */
  main: boolean;
  /** Whether the script came after the page was done: opened before Pagehand was. */
  late: boolean;
}

export type CallReply =
  | { kind: 'result'; value: string | null; length?: number }
  /** `said` is the tool's own words, where they could be had. `ran` is absent where nobody knows. */
  | { kind: 'error'; name: string; message: string; said?: string; ran?: boolean }
  | { kind: 'changed' };

/** Sent to the background when the number or the content of a frame's tools changed. */
export interface FromContent {
  pagehand: 'tools';
  count: number;
}

/** More than any page was seen to offer (296 was the largest report), few enough to stay bounded. */
export const MAX_TOOLS = 1000;
export const MAX_NAME = 256;
export const MAX_TITLE = 500;
export const MAX_DESCRIPTION = 8000;
/** The largest schema seen in the wild is about 40 kB. */
export const MAX_SCHEMA = 100_000;
export const MAX_RESULT = 1_000_000;
export const MAX_ERROR = 4000;

export function fingerprint(tool: RawTool): string {
  return JSON.stringify([
    tool.name,
    tool.title,
    tool.description,
    tool.schema,
    tool.hints,
    tool.cut,
    tool.surface,
  ]);
}
