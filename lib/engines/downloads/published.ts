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
 * Asks the hub that serves the file for its size and SHA-256. Hosts without that interface, errors
 * and odd answers give nothing: the download then goes by the server's length alone.
 */
export async function publishedFile(
  fetchFile: typeof fetch,
  url: string,
  signal: AbortSignal,
): Promise<PublishedFile> {
  const { origin, pathname } = new URL(url);
  const match = HUB.exec(pathname);
  if (!match) return {};
  const [, repository, revision, path = ''] = match;
  const folder = path.includes('/') ? `/${path.slice(0, path.lastIndexOf('/'))}` : '';
  try {
    const response = await fetchFile(
      `${origin}/api/models/${repository}/tree/${revision}${folder}`,
      { signal, headers: { accept: 'application/json' } },
    );
    if (!response.ok) return {};
    const tree = Tree.safeParse(await response.json());
    const name = decodeURIComponent(path);
    const entry = tree.success ? tree.data.find((file) => file.path === name) : undefined;
    const sha256 = entry?.lfs?.oid.toLowerCase();
    return {
      size: entry?.lfs?.size ?? entry?.size,
      sha256: sha256 !== undefined && /^[0-9a-f]{64}$/.test(sha256) ? sha256 : undefined,
    };
  } catch {
    signal.throwIfAborted();
    return {};
  }
}
