/** The origin of an address; `undefined` where it is none. Of opaque ones it is `null` as text. */
export function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
