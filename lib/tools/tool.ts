import type { Listed } from '../said/said';

/** Plain JSON, as it crosses every border. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | JsonValue[]
  | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

/** A JSON Schema as a page declared it: unchecked, hostile, only known to be plain JSON. */
export type JsonSchema = JsonObject;

/** What a page claims about a tool. Claims, not facts: see `docs/architecture.md`, approval. */
export interface ToolAnnotations {
  readOnlyHint?: boolean;
  untrustedContentHint?: boolean;
  consequentialHint?: boolean;
  /** Chrome 156: a tool meant for developers; never offered to a model. */
  debugging?: boolean;
}

/** The least that choosing, shrinking and checking need of a tool. */
export interface ToolDescriptor {
  name: string;
  title?: string;
  description: string;
  /** Absent where the page declared none: the tool takes no arguments. */
  inputSchema?: JsonSchema;
  annotations?: ToolAnnotations;
}

/** How a tool reaches the model: in the prompt, found through `tool_search`, or never. */
export type Exposure = 'direct' | 'deferred' | 'hidden';

/** Which WebMCP surface of the page the tool was found on. */
export type Surface = 'native' | 'shim' | 'polyfill' | 'form';

/**
 * A tool of a page. Identity is `key` (document + name), never the name alone: several frames may
 * offer the same name.
 */
export interface PageTool extends ToolDescriptor {
  /** `${documentId}/${name}`; unique within a catalog, dead once its document is gone. */
  key: string;
  /** Origin of the frame that registered it, `null` as text for opaque origins. */
  origin: string;
  documentId: string;
  frameId: number;
  surface: Surface;
  /** Of a form of the page: how it is sent. */
  form?: FormTool;
}

/** How a form that is a tool is sent once it is filled in. */
export interface FormTool {
  /** Whether it waits for the person to press its button on the page. */
  waits: boolean;
  /** What its submit buttons say, in order; the first is the one that counts. Words of the page. */
  buttons: string[];
}

/** Every tool of a tab at one moment, collected fresh from every frame. */
export interface Catalog {
  tabId: number;
  /** URL and title of the top document. */
  url: string;
  title: string;
  tools: PageTool[];
  /** What was dropped or cut while collecting, for the user; empty when nothing was. */
  notes: Listed[];
  /** Why the page could not be asked, or not in full; absent where it could. */
  obstacle?: 'restricted' | 'reload' | 'asleep' | 'no-page';
}

/** A tool as the model sees it: short description, compacted schema. */
export interface CompactTool {
  name: string;
  description: string;
  parameters: JsonSchema;
}

/** The same with what its calls are held to: bounds and formats that a short listing leaves out. */
export interface HeldTool extends CompactTool {
  strict?: JsonSchema;
}
