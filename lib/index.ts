// The turn and its log.
export { approvalKey, isConsequential, isReadOnly } from './agent/approval';
export { type ArgumentsCheck, checkArguments } from './agent/arguments/check';
export { fixArguments } from './agent/arguments/fixes';
export type {
  ChatMessage,
  Engine,
  EngineDescription,
  GenerateChunk,
  GenerateRequest,
} from './agent/engine';
export { EngineError } from './agent/engine';
export type { AgentEvent, Budget, EventBody, Remedy, ToolRef } from './agent/events';
export { factsOf } from './agent/facts';
export type {
  AgentOptions,
  AgentSettings,
  Approvals,
  Exchange,
  History,
  Limits,
  SiteRecipe,
} from './agent/options';
export { defineTool, type ToolContext, type ToolDefinition } from './agent/own-tools';
export type { AgentPage, AgentUser, CallOutcome, Emit } from './agent/ports';
export { readResult, renderResult } from './agent/results';
export { runLocalAgent } from './agent/run';
export type {
  CallCard,
  CallState,
  QuestionItem,
  TranscriptItem,
  TranscriptStep,
  TranscriptTurn,
} from './agent/transcript';
export { addToTranscript, foldTranscript } from './agent/transcript';
// Reading replies.
export type { DialectId } from './calls/dialect-id';
export { parseToolCalls } from './calls/parse';
export type {
  ProseFilter,
  ReplyFilter,
  ReplyFilterOptions,
  ShownReply,
} from './calls/prose-filter';
export { createProseFilter, createReplyFilter } from './calls/prose-filter';
export type { ParsedCall, ParseOptions, ParseResult } from './calls/result';
// The engine that needs no model.
export { createInstant, type InstantDeps } from './engines/instant';
// Words for the user, and how to say them in other languages.
export { type Listed, type Said, type SaidValue, textOf, type Words } from './said/said';
// Exposure, discovery, schemas and budgets.
export {
  type Budget as ToolBudget,
  type CountTokens,
  estimateTokens,
  freeTokens,
  historyRoom,
  savedTokens,
  shouldShortenHistory,
  toolShares,
  toolTokens,
} from './tools/budget';
// Choosing tools.
export { compactSchema } from './tools/compact';
export { BRIDGE_NAME, bridgeTool, readSearch } from './tools/discovery/bridge';
export { createDefaultRanker } from './tools/discovery/default-ranker';
export { manifestOf } from './tools/discovery/manifest';
export { type DiscoveryPolicy, discoveryPolicy } from './tools/discovery/policy';
export {
  livePromotions,
  NO_PROMOTIONS,
  type PromotionState,
  promote,
  readPromotions,
  touchPromotion,
} from './tools/discovery/promotion';
export type { HostRanker, RankCandidate, Ranker } from './tools/discovery/ranker';
export {
  type RankMode,
  type SearchAnswer,
  searchedEvent,
  searchTools,
} from './tools/discovery/search';
export { wordRanker } from './tools/discovery/word-ranker';
export { type CatalogChanges, catalogChanges } from './tools/exposure/changes';
export { type Choice, chooseTools, type Offered } from './tools/exposure/choose';
export type { DecidedBy, OwnTool, ToolEntry } from './tools/exposure/entry';
export { fingerprint } from './tools/exposure/fingerprint';
export { presentationFor, presentEntry } from './tools/exposure/presentation';
export { createRegistry, type Dispatch, type ToolRegistry } from './tools/exposure/registry';
export {
  advertisedSurface,
  entryCost,
  leftForLog,
} from './tools/exposure/report';
export type { ChooseRequest } from './tools/exposure/request';
export { DEFAULT_SITE, exposeTools, type SiteExposure } from './tools/exposure/rules';
export { similarNames, unknownToolAnswer } from './tools/exposure/unknown';
export { type ModelNames, modelNames } from './tools/names';
export { compactTool, pickTools, type RankOptions, rankTools } from './tools/rank';
export { LISTINGS, type Listing, renderTool, renderTools } from './tools/render/listing';
export {
  pFormatCall,
  pFormatSignature,
  type Slot,
  type SlotType,
  slotsOf,
} from './tools/render/p-format';
export { compareListings, listingFor, toolCost, wireBytes } from './tools/render/report';
export { argumentNotes, typeSignature } from './tools/render/signature';
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
export { compactToFit, RUNGS, type Rung } from './tools/schema/compaction';
export { type FlatSchema, flattenSchema, unflattenArgs } from './tools/schema/flatten';
export { type Guarded, guardSchema, SCHEMA_LIMITS } from './tools/schema/guard';
export {
  prepareSchema,
  prepareTool,
  type SchemaPreparation,
  THIRD_PARTY,
} from './tools/schema/prepare';
export { resolveRefs } from './tools/schema/resolve';
export type { SchemaStrategy } from './tools/schema/strategies';
export { type TokenizeOptions, tokenize } from './tools/text/tokenize';
export { fence, firstSentence, safeJson, safeLine, unfence } from './tools/text/untrusted';
export { normalizeText } from './tools/text/words';
export { validateArgs } from './tools/validate';
