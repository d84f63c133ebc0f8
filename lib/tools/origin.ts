/**
 * The site of an address, for telling whose words are whose: its origin; of a document without one (a
 * file) the document's own address; `''` where it is no address.
 */
export function siteOf(url: string): string {
  const origin = originOf(url) ?? '';
  return origin === 'null' ? (url.split(/[?#]/, 1)[0] ?? '') : origin;
}

/**
 * An address as what belongs to `origin` may hear of it: whole where it is of the same origin,
 * elsewhere its origin alone, since path and query may hold secrets of the other site.
 */
export function addressSeenFrom(origin: string, url: string): string {
  const there = originOf(url) ?? 'null';
  return there === origin && origin !== 'null' ? url : there;
}

/** The origin of an address; `undefined` where it is none. Of opaque ones it is `null` as text. */
export function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
