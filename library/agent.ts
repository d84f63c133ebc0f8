/** The loop, its engine without a model, and the page it works on: `pagehand/agent`. */
import type * as engine from '../lib/agent/engine';

export type {
  ChatMessage,
  GenerateChunk,
  GenerateRequest,
} from '../lib/agent/engine';
/** An engine of any id: the four of the product, or your own. */
export type Engine = engine.Engine<string>;
export type EngineDescription = engine.EngineDescription<string>;
export { EngineError } from '../lib/agent/engine';
export type { AgentEvent, EventBody } from '../lib/agent/events';
export { factsOf } from '../lib/agent/facts';
export type { AgentOptions, AgentSettings, History, Limits } from '../lib/agent/options';
export {
  defineTool,
  pageOfText,
  type TextPage,
  type ToolContext,
  type ToolDefinition,
} from '../lib/agent/own-tools';
export type { AgentPage, AgentUser, CallOutcome, Emit } from '../lib/agent/ports';
export { runLocalAgent } from '../lib/agent/run';
export { createInstant, type InstantDeps } from '../lib/engines/instant';
export { agentDefaults } from './agent-defaults';
export { type ModelContext, modelContextPage } from './model-context-page';
