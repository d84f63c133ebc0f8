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

// Choosing tools.
export { compactSchema } from './tools/compact';
export { compactTool, pickTools, type RankOptions, rankTools } from './tools/rank';
export { type TokenizeOptions, tokenize } from './tools/text/tokenize';
export { normalizeText } from './tools/text/words';
export { validateArgs } from './tools/validate';
