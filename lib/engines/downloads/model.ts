import type { GgufSummary } from '../models/gguf';
import type { TransferDeps } from './transfer';

export interface ModelStoreDeps extends TransferDeps {
  /** The folder models live in: the extension's private file system, shared by all its pages. */
  root(): Promise<FileSystemDirectoryHandle>;
  estimate(): Promise<{ usage?: number; quota?: number }>;
  /** Asks the browser not to clear the models when space gets short. */
  persist(): Promise<boolean>;
  now(): number;
}

export interface ModelSource {
  /** Names the model for ever; a download of the same id goes on where the last one ended. */
  id: string;
  label: string;
  /** Several for a split model, in order. */
  files: { url: string; size?: number; sha256?: string }[];
}

export interface StoredModel {
  id: string;
  label: string;
  /** Bytes on disk. */
  bytes: number;
  /** Bytes of the whole, where known. */
  totalBytes?: number;
  complete: boolean;
  addedAt: number;
  summary?: GgufSummary;
}
