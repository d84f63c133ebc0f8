import type { EngineId } from '../../lib/agent/engine';
import type { MessageKey } from '../text';

export const ENGINE_NAMES: Record<EngineId, MessageKey> = {
  instant: 'engineInstant',
  'prompt-api': 'enginePromptApi',
  'web-llm': 'engineWebLlm',
  wllama: 'engineWllama',
};
