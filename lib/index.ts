// The turn and its log.
export type { AgentEvent, Budget, EventBody, Remedy, ToolRef } from './agent/events';
export type {
  CallCard,
  CallState,
  QuestionItem,
  TranscriptItem,
  TranscriptStep,
  TranscriptTurn,
} from './agent/transcript';
export { addToTranscript, foldTranscript } from './agent/transcript';

// The engine that needs no model.
export { createInstant, type InstantDeps } from './engines/instant';

// Choosing tools.
export { compactSchema } from './tools/compact';
export { compactTool, pickTools, type RankOptions, rankTools } from './tools/rank';
export { ToolRouterError, type ToolRouterErrorCode } from './tools/router/error';
export { estimateToolTokens } from './tools/router/estimate';
export {
  detectToolFormat,
  type NormalizedTool,
  normalizeTool,
  normalizeTools,
  TOOL_FORMATS,
  type ToolCatalog,
  type ToolFormat,
} from './tools/router/formats';
export type { ToolMatch, ToolSearchOptions } from './tools/router/match';
export type { FieldWeights, ToolField, ToolRouterOptions } from './tools/router/options';
export type { ToolRouteOptions, ToolRouteResult } from './tools/router/route';
export {
  createToolRouter,
  routeTools,
  type ToolRouter,
  type ToolRouterStats,
} from './tools/router/router';
export {
  type CreateToolSearchOptions,
  createToolSearch,
  type ToolSearchHelper,
  type ToolSearchResult,
  type ToolSearchSummary,
} from './tools/router/tool-search';
export { type TokenizeOptions, tokenize } from './tools/text/tokenize';
export { normalizeText } from './tools/text/words';
export { validateArgs } from './tools/validate';
