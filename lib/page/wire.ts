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
  /** Names of the annotations that were true. */
  hints: string[];
  surface: RawSurface;
  /** Full length of the description and of the schema, which may have been cut or left out. */
  sizes: number[];
  /** Of a form: how it is sent. */
  form?: RawForm;
}
export interface RawForm {
  /** Whether it waits for the person to press its button. */
  waits: boolean;
  /** What its submit buttons say, in order. */
  buttons: string[];
}
export type RawSurface = 'native' | 'shim' | 'polyfill' | 'form';

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
  /** Tools beyond the limits. */
  dropped: number;
  origin: string;
  /** Whether the isolated world has the browser's own WebMCP. */
  native: boolean;
  /** Whether the script came after the page was done: opened before Pagehand was. */
  late: boolean;
}

/** An error, a value, or, with neither, word that the tool is not the expected one. */
export interface CallReply {
  value?: string | null;
  /** Full length of a value that was cut. */
  length?: number;
  error?: string;
  /** The tool's own words, where they could be had. */
  said?: string;
  /** `false` where the tool is known not to have run. */
  ran?: boolean;
}

/** Sent to the background when the number or the content of a frame's tools changed. */
export interface FromContent {
  pagehand: 'tools';
}

/** Frames of a tab that are asked for tools, and inspected. */
export const MAX_FRAMES = 60;
/** More than any page was seen to offer (296 was the largest report), few enough to stay bounded. */
export const MAX_TOOLS = 1000;
export const MAX_HINTS = 20;
/** JSON text of all tools of a frame. */
export const MAX_TOTAL = 8_000_000;
export const MAX_NAME = 256;
export const MAX_TITLE = 500;
export const MAX_DESCRIPTION = 8000;
/** The largest schema seen in the wild is about 40 kB. */
export const MAX_SCHEMA = 100_000;
export const MAX_RESULT = 1_000_000;
export const MAX_ERROR = 4000;

/** Two tools with the same text are the same tool. */
export const fingerprint = (tool: unknown) => JSON.stringify(tool);
