import type { EngineDescription, LoadProgress } from '../../lib/agent/engine';
import type { GivenApproval, HostStatus, StorageInfo } from '../../lib/messages/host-api';
import type { Settings, SiteSettings } from '../../lib/settings/settings';
import type { ModelIntents } from '../model/intents';

/** What the machine said about itself, for the model section. */
export interface MachineFacts {
  cores: number;
  memoryBytes?: number;
  gpu?: {
    name: string;
    software: boolean;
    shaderF16: boolean;
    maxBufferBytes: number;
    maxBindingBytes: number;
  };
}

export interface OptionsState {
  settings: Settings;
  engines: EngineDescription[] | null;
  importing: LoadProgress | null;
  status: HostStatus['engine'] | null;
  storage: StorageInfo | null;
  approvals: readonly GivenApproval[];
  machine: MachineFacts | null;
  problem: string | null;
  /** What just worked, in words, for the status line. */
  done: string | null;
}

export interface OptionsIntents {
  change: (patch: Partial<Settings>) => void;
  models: ModelIntents;
  revoke: (approvalId: string) => void;
  clearAll: () => void;
  /** `null` forgets the site. */
  changeSite: (origin: string, site: SiteSettings | null) => void;
  exportSettings: () => void;
  importSettings: (text: string) => void;
  dismissProblem: () => void;
}
