/** Choosing, shrinking, checking and pricing tools: `pagehand/tools`. */
export { type CountTokens, estimateTokens } from '../lib/tools/budget';
export { compactSchema } from '../lib/tools/compact';
export { manifestOf } from '../lib/tools/discovery/manifest';
export { unknownToolAnswer } from '../lib/tools/exposure/unknown';
export { compactTool, pickTools, type RankOptions, rankTools } from '../lib/tools/rank';
export type { Finding, ReadinessRule, Severity } from '../lib/tools/readiness/finding';
export { checkReadiness } from '../lib/tools/readiness/readiness';
export { readinessScore } from '../lib/tools/readiness/score';
export { LISTINGS, type Listing, renderTool, renderTools } from '../lib/tools/render/listing';
export { pFormatSignature } from '../lib/tools/render/p-format';
export { toolCost, wireBytes } from '../lib/tools/render/report';
export { argumentNotes, typeSignature } from '../lib/tools/render/signature';
export { compactToFit, type Rung } from '../lib/tools/schema/compaction';
export {
  prepareSchema,
  prepareTool,
  type SchemaPreparation,
  THIRD_PARTY,
} from '../lib/tools/schema/prepare';
export { resolveRefs } from '../lib/tools/schema/resolve';
export type { SchemaStrategy } from '../lib/tools/schema/strategies';
export type {
  Catalog,
  CompactTool,
  Exposure,
  JsonObject,
  JsonSchema,
  JsonSchema as JSONSchema,
  JsonValue,
  PageTool,
  ToolAnnotations,
  ToolDescriptor,
} from '../lib/tools/tool';
export { validateArgs } from '../lib/tools/validate';
