import { withoutEnd } from '../../tools/text/cut';

/**
 * The address of a publisher's file on the mirror of the user's choice: same path, other host, so that
 * a plain copy of the hub's folders is a mirror. Without a mirror the address stays as it is.
 */
export function onMirror(url: string, base: string | undefined): string {
  if (base === undefined) return url;
  const { pathname, search } = new URL(url);
  return withoutEnd(base, '/') + pathname + search;
}

/** Hub pages (`/blob/`) are what people copy; the file itself is under `/resolve/`. */
export function toFileUrl(url: string): string {
  const parsed = new URL(url);
  if (parsed.hostname === 'huggingface.co')
    parsed.pathname = parsed.pathname.replace(/^(\/[^/]+\/[^/]+)\/blob\//, '$1/resolve/');
  return parsed.href;
}

/** The addresses of all files of a split model, from that of any of them (`…-00001-of-00003.gguf`). */
export function splitUrls(url: string): string[] {
  const match = /-(\d{5})-of-(\d{5})(\.gguf(?:\?.*)?)$/.exec(url);
  const count = Number(match?.[2]);
  if (!match || count < 2 || count > 100) return [url];
  const stem = url.slice(0, match.index);
  return Array.from(
    { length: count },
    (_, i) => `${stem}-${String(i + 1).padStart(5, '0')}-of-${match[2]}${match[3]}`,
  );
}
