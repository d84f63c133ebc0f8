/** The tool router alone, without dependencies: `pagehand/router`. */
export { ToolRouterError, type ToolRouterErrorCode } from '../lib/tools/router/error';
export { estimateToolTokens } from '../lib/tools/router/estimate';
export {
  detectToolFormat,
  type NormalizedTool,
  normalizeTool,
  normalizeTools,
  TOOL_FORMATS,
  type ToolCatalog,
  type ToolFormat,
} from '../lib/tools/router/formats';
export type { ToolMatch, ToolSearchOptions } from '../lib/tools/router/match';
export type { FieldWeights, ToolField, ToolRouterOptions } from '../lib/tools/router/options';
export type { ToolRouteOptions, ToolRouteResult } from '../lib/tools/router/route';
export {
  createToolRouter,
  routeTools,
  type ToolRouter,
  type ToolRouterStats,
} from '../lib/tools/router/router';
export {
  type CreateToolSearchOptions,
  createToolSearch,
  type ToolSearchHelper,
  type ToolSearchResult,
  type ToolSearchSummary,
} from '../lib/tools/router/tool-search';
export { type TokenizeOptions, tokenize } from '../lib/tools/text/tokenize';
export { normalizeText } from '../lib/tools/text/words';
