/**
 * What the inspector of a document tells of it. Types and plain constants only: bundled into the
 * script that is put into the page, so it imports nothing. The page can forge all of it, and lies
 * about nobody but itself.
 */

/** A line of a call stack. Line and column count from 1. */
export interface Place {
  /** Name of the function; `''` where it has none. */
  fn: string;
  url: string;
  line: number;
  column: number;
}

export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** A value as text, cut; `length` is that of the whole text, as far as it was written. */
export interface CutText {
  text: string;
  length: number;
}

export type PageEntry = { at: number } & (
  | {
      /** The inspector looks on. `late`: the document was there before, so what it did is unknown. */
      kind: 'watching';
      late: boolean;
    }
  | {
      kind: 'registered';
      tool: string;
      form: boolean;
      /** A form that was there when the inspector came. */
      found: boolean;
      description: string;
      places: Place[];
    }
  | { kind: 'removed'; tool: string; form: boolean }
  | { kind: 'changed'; tool: string; form: boolean; changes: FieldChange[]; places: Place[] }
  | {
      kind: 'called';
      call: string;
      tool: string;
      /** A script of the page, or somebody else: an extension, the browser's own agent, a test. */
      by: 'page' | 'other';
      /** The tool is that of another frame. */
      elsewhere: boolean;
      /** JSON text. Absent where only the fact of the call shows. */
      args?: CutText;
      places: Place[];
    }
  | {
      kind: 'ended';
      call: string;
      outcome: 'result' | 'error' | 'cancelled';
      ms: number;
      said?: CutText;
    }
  | { kind: 'left-out'; count: number }
);

/**
 * Said by the isolated script to the extension's pages: once it is there, for a panel to connect, and
 * when its last panel has gone, for the background to take the registration back.
 */
export interface InspectorWord {
  inspector: 'here' | 'gone';
}

/** From the isolated script to the panel. `entries`: JSON text of a `PageEntry` each, unread. */
export interface RelayBatch {
  entries: string[];
  /** Entries that were too many or too large. */
  leftOut: number;
}

/** Name of the port from a panel to the isolated script of one document. */
export const INSPECTOR_PORT = 'pagehand-inspector';

/** Characters of arguments, a result or an error that are passed on. */
export const MAX_TEXT = 4000;
export const MAX_FIELD = 1000;
export const MAX_PLACES = 8;
export const MAX_URL = 1000;
/** JSON text of one entry: the texts above with room for escapes. */
export const MAX_ENTRY = 30_000;
/** Entries that wait for somebody who listens. */
export const MAX_WAITING = 400;
/** Entries of one document in one batch, and the time between batches. */
export const MAX_BATCH = 100;
export const MAX_BATCH_TEXT = 300_000;
export const BATCH_MS = 100;
