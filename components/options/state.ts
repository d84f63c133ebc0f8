import type { EngineDescription, EngineId } from '../../lib/agent/engine';
import type { GivenApproval, HostStatus, StorageInfo } from '../../lib/messages/host-api';
import type { Settings, SiteSettings } from '../../lib/settings/settings';

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
  status: HostStatus['engine'] | null;
  storage: StorageInfo | null;
  approvals: readonly GivenApproval[];
  machine: MachineFacts | null;
  /** A file that is being copied into the store. */
  adding?: { done: number; total: number } | null;
  problem: string | null;
  /** What just worked, in words, for the status line. */
  done: string | null;
}

export interface OptionsIntents {
  change: (patch: Partial<Settings>) => void;
  choose: (engine: EngineId, model: string | undefined) => void;
  cancelLoad: () => void;
  unload: () => void;
  remove: (engine: EngineId, model: string) => void;
  /** Files of one GGUF model, copied into the store and chosen. */
  addFiles: (files: File[]) => void;
  /** The address of a GGUF file, downloaded and chosen. */
  addAddress: (url: string) => void;
  stopAdding: () => void;
  revoke: (approvalId: string) => void;
  clearAll: () => void;
  /** `null` forgets the site. */
  changeSite: (origin: string, site: SiteSettings | null) => void;
  exportSettings: () => void;
  importSettings: (text: string) => void;
  dismissProblem: () => void;
}
