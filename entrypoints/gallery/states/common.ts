import type { ModelIntents } from '../../../components/model/intents';
import type { HostStatus } from '../../../lib/messages/host-api';
import { Settings } from '../../../lib/settings/settings';

/** What views are given that have nothing to do it with. */
export const nothing = () => undefined;
export const never = () => new Promise<never>(nothing);

export const MODELS: ModelIntents = {
  choose: nothing,
  addFiles: nothing,
  cancel: nothing,
  unload: nothing,
  remove: nothing,
};

export const STATUS: HostStatus = {
  busy: null,
  queue: [],
  engine: { id: 'web-llm', model: 'Qwen3-1.7B-q4f16_1-MLC', state: 'ready' },
};

export const WITH_MODEL = Settings.parse({
  engine: 'web-llm',
  models: { 'web-llm': 'Qwen3-1.7B-q4f16_1-MLC' },
});

export const CONVERSATION = {
  id: 'c1',
  title: 'Hiking boots',
  tabId: 1,
  origin: 'https://shop.example',
  createdAt: Date.UTC(2026, 10, 30, 9),
  updatedAt: Date.UTC(2026, 10, 30, 9, 31),
  turns: 3,
};
