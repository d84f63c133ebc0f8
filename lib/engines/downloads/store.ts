import { EngineError, type LoadProgress } from '../../agent/engine';
import { say } from '../../said/say';
import { downloadModel } from './download-model';
import { createFolders, describe, openWhole } from './folders';
import { importModelFiles } from './import-files';
import type { ModelSource, ModelStoreDeps, StoredModel } from './model';

/**
 * The models on this machine. Nothing is remembered between calls: the folder is the truth, so that the
 * host and a view may both work on it.
 */
export interface ModelStore {
  list(): Promise<StoredModel[]>;
  get(id: string): Promise<StoredModel | undefined>;
  /** The model's files, if they are all there and whole. */
  open(id: string): Promise<Blob[] | undefined>;
  /**
   * Makes the model be there: nothing is fetched that is stored already.
   * @throws EngineError `download`, `storage`, `corrupt`; the signal's reason
   */
  download(
    source: ModelSource,
    progress: (p: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<Blob[]>;
  /** Copies files the user picked; `-00001-of-00003.gguf` parts are taken in the order of their names. */
  importFiles(
    files: File[],
    progress: (p: LoadProgress) => void,
    signal: AbortSignal,
  ): Promise<StoredModel>;
  delete(id: string): Promise<void>;
}

export function createModelStore(deps: ModelStoreDeps): ModelStore {
  /** One writer a model: a second one waits, and then finds what the first brought. */
  const writers = new Map<string, Promise<void>>();
  const folders = createFolders(deps.root);

  /** Runs alone among the writers of a model. */
  async function exclusive<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = writers.get(id) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.then(
      () => {},
      () => {},
    );
    writers.set(id, settled);
    try {
      return await mine;
    } finally {
      if (writers.get(id) === settled) writers.delete(id);
    }
  }

  return {
    open: async (id) => openWhole(await folders.find(id)),
    delete: (id) => exclusive(id, () => folders.remove(id)),
    async get(id) {
      const folder = await folders.find(id);
      return folder && describe(folder);
    },
    async list() {
      const found: StoredModel[] = [];
      for await (const folder of folders.all()) {
        const model = await describe(folder);
        if (model) found.push(model);
      }
      return found.sort((a, b) => a.addedAt - b.addedAt);
    },
    download: (source, progress, signal) =>
      exclusive(source.id, () => downloadModel(deps, folders, source, progress, signal)),
    async importFiles(picked, progress, signal) {
      const files = [...picked].sort((a, b) => (a.name < b.name ? -1 : 1));
      const [first, ...others] = files;
      if (!first) throw new EngineError('failed', say('no-file-picked'));
      const id = `file:${first.name}`;
      return exclusive(id, () =>
        importModelFiles(deps, folders, id, [first, ...others], progress, signal),
      );
    },
  };
}
