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
