import type { Said } from '../../said/said';
import type { Exposure, JsonSchema, PageTool, ToolDescriptor } from '../tool';

/** A tool of Pagehand's own, such as the one that asks the user. Its `key` must not look like a page's. */
export interface OwnTool extends ToolDescriptor {
  key: string;
}

/** Who decided how a tool reaches the model, strongest first. */
export type DecidedBy =
  /** The page marked it as not meant for models. */
  | 'page'
  /** Its schema cannot be offered. */
  | 'schema'
  /** A tool of Pagehand's own. */
  | 'pagehand'
  /** The user, for this tool on this site. */
  | 'user'
  /** The site's recipe. */
  | 'recipe'
  /** The site's "defer this site's tools" set to `always` or `never`. */
  | 'site'
  /** Nobody: direct while there is room. */
  | 'default'
  /** The budget of this turn. */
  | 'budget';

interface Entry {
  key: string;
  /** As the model sees it. */
  name: string;
  exposure: Exposure;
  by: DecidedBy;
  /** Why, in words for the log. */
  reason: string;
  /** The same for the user, where the views have no words of their own for it. */
  said?: Said | undefined;
  /** The declared schema, guarded; what is shown is prepared from it. */
  schema: JsonSchema;
  /** What was cut of the schema, in words for the user. */
  notes: string[];
  /** Fingerprint of name, description and schema: changes when the tool does. */
  print: string;
}

/** A tool of the catalog with its exposure. */
export type ToolEntry = Entry &
  ({ source: 'page'; tool: PageTool } | { source: 'pagehand'; tool: OwnTool });
