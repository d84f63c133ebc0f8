import type { JsonValue } from '../tool';

/**
 * A short fingerprint of a value's JSON: equal values give equal fingerprints, and a page's ordinary
 * changes give other ones. Not proof against somebody who builds collisions; nothing that protects
 * the user may rest on it. FNV-1a in two 32-bit lanes (http://www.isthe.com/chongo/tech/comp/fnv).
 */
export function fingerprint(value: JsonValue): string {
  return hashText(JSON.stringify(value));
}

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
/** Start of the second lane: any other number than the first lane's. */
const OTHER_OFFSET = 0x2f0b4c47;

export function hashText(text: string): string {
  let low = OFFSET;
  let high = OTHER_OFFSET;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, PRIME);
    high = Math.imul(high ^ (unit + at), PRIME);
  }
  return hex(low) + hex(high);
}

const hex = (lane: number): string => (lane >>> 0).toString(16).padStart(8, '0');
