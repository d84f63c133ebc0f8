import * as z from 'zod';

/**
 * The files of a model where web-llm looks for them: the browser's caches, under the publisher's
 * addresses. Pagehand fills them itself, so that web-llm finds everything and fetches nothing.
 */
export interface ModelFile {
  url: string;
  cache: 'webllm/model' | 'webllm/config';
  size?: number;
  sha256?: string;
}

export interface CachedModel {
  complete: boolean;
  bytes: number;
  totalBytes?: number;
}

const TensorCache = z.object({
  records: z.array(z.object({ dataPath: z.string(), nbytes: z.number().int().nonnegative() })),
});
const ChatConfig = z.object({ tokenizer_files: z.array(z.string()) });

/** The address under which web-llm keeps a model's files. */
export function baseUrl(model: string): string {
  const folder = model.endsWith('/') ? model : `${model}/`;
  const at = folder.indexOf('/resolve/');
  const revision = at + '/resolve/'.length;
  const isWhole = at > 0 && folder.indexOf('/', revision) > revision;
  return isWhole ? folder : `${folder}resolve/main/`;
}

/** The small files that say which others there are. */
export function indexFiles(base: string, manifest?: string): ModelFile[] {
  return [
    { url: `${base}mlc-chat-config.json`, cache: 'webllm/config' },
    { url: `${base}tensor-cache.json`, cache: 'webllm/model' },
    ...(manifest === undefined
      ? []
      : [{ url: new URL(manifest, base).href, cache: 'webllm/config' } as const]),
  ];
}

/** All other files, from the two index files; `undefined` while one of these is missing or unreadable. */
export async function dataFiles(
  caches: CacheStorage,
  base: string,
): Promise<ModelFile[] | undefined> {
  const config = ChatConfig.safeParse(
    await readJson(caches, 'webllm/config', `${base}mlc-chat-config.json`),
  );
  const tensors = TensorCache.safeParse(
    await readJson(caches, 'webllm/model', `${base}tensor-cache.json`),
  );
  if (!config.success || !tensors.success) return undefined;
  const { tokenizer_files: tokenizers } = config.data;
  const tokenizer = ['tokenizer.json', 'tokenizer.model'].find((name) => tokenizers.includes(name));
  return [
    ...(tokenizer === undefined ? [] : [tokenizer]).map(
      (name): ModelFile => ({ url: `${base}${name}`, cache: 'webllm/model' }),
    ),
    ...tensors.data.records.map(
      ({ dataPath, nbytes }): ModelFile => ({
        url: new URL(dataPath, base).href,
        cache: 'webllm/model',
        size: nbytes,
      }),
    ),
  ];
}

async function readJson(caches: CacheStorage, cache: string, url: string): Promise<unknown> {
  const response = await (await caches.open(cache)).match(url);
  return response?.json().catch(() => undefined);
}

export async function isCached(caches: CacheStorage, file: ModelFile): Promise<boolean> {
  return (await (await caches.open(file.cache)).match(file.url)) !== undefined;
}

/** How much of a model is there. Looks at names only; nothing is read. */
export async function cachedModel(caches: CacheStorage, base: string): Promise<CachedModel> {
  const files = await dataFiles(caches, base);
  if (!files) return { complete: false, bytes: 0 };
  const there = new Set(
    (await (await caches.open('webllm/model')).keys()).map((request) => request.url),
  );
  const sum = (list: ModelFile[]) => list.reduce((bytes, file) => bytes + (file.size ?? 0), 0);
  const present = files.filter((file) => there.has(file.url));
  return {
    complete: present.length === files.length,
    bytes: sum(present),
    totalBytes: sum(files),
  };
}

/** Removes every file of the model from the caches. */
export async function deleteCached(caches: CacheStorage, base: string): Promise<void> {
  for (const name of ['webllm/model', 'webllm/config']) {
    const cache = await caches.open(name);
    for (const request of await cache.keys())
      if (request.url.startsWith(base)) await cache.delete(request);
  }
}
