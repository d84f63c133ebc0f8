const OPENABLE = new Set(['http:', 'https:', 'mailto:']);
const LONGEST = 2048;

export interface LinkTarget {
  href: string;
  /** Where it goes, as shown beside the link's words: the host, or the mail address. */
  place: string;
}

/**
 * The target of a link in model text, or `null` for what must not become a link: other schemes,
 * relative addresses (they would point into the extension), user names in front of the host, which
 * are there to mislead, and addresses longer than anyone can read.
 */
export function linkTarget(address: string): LinkTarget | null {
  if (address.length > LONGEST) return null;
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return null;
  }
  if (!OPENABLE.has(url.protocol) || url.username || url.password) return null;
  const place = url.protocol === 'mailto:' ? url.pathname : url.host;
  return place ? { href: url.href, place } : null;
}
