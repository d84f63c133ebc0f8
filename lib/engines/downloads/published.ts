import * as z from 'zod';

/** What the publisher says of a file, to be checked after the download. */
export interface PublishedFile {
  size?: number;
  sha256?: string;
}

const Tree = z.array(
  z.object({
    path: z.string(),
    size: z.number().optional(),
    lfs: z.object({ oid: z.string(), size: z.number() }).optional(),
  }),
);

/** `https://host/OWNER/REPO/resolve/REVISION/PATH`: the layout of Hugging Face and of its mirrors. */
const HUB = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/;

/**
 * Asks the hub that serves the file for size and SHA-256 of it and of its neighbours, by address.
 * Hosts without that interface, errors and odd answers give nothing: the download then goes by the
 * server's length alone.
 */
export async function publishedFiles(
  fetchFile: typeof fetch,
  url: string,
  signal: AbortSignal,
): Promise<Map<string, PublishedFile>> {
  const { origin, pathname } = new URL(url);
  const match = HUB.exec(pathname);
  if (!match) return new Map();
  const [, repository, revision, path = ''] = match;
  const folder = path.includes('/') ? `/${path.slice(0, path.lastIndexOf('/'))}` : '';
  try {
    const response = await fetchFile(
      `${origin}/api/models/${repository}/tree/${revision}${folder}`,
      { signal, headers: { accept: 'application/json' } },
    );
    if (!response.ok) return new Map();
    const tree = Tree.safeParse(await response.json());
    return new Map(
      (tree.success ? tree.data : []).map((entry): [string, PublishedFile] => {
        const address = new URL(`/${repository}/resolve/${revision}/`, origin).href;
        const sha256 = entry.lfs?.oid.toLowerCase();
        return [
          address + entry.path.split('/').map(encodeURIComponent).join('/'),
          {
            size: entry.lfs?.size ?? entry.size,
            sha256: sha256 !== undefined && /^[0-9a-f]{64}$/.test(sha256) ? sha256 : undefined,
          },
        ];
      }),
    );
  } catch {
    signal.throwIfAborted();
    return new Map();
  }
}

/** What is published of one file. */
export async function publishedFile(
  fetchFile: typeof fetch,
  url: string,
  signal: AbortSignal,
): Promise<PublishedFile> {
  const { origin, pathname } = new URL(url);
  return (await publishedFiles(fetchFile, url, signal)).get(origin + pathname) ?? {};
}
