import type { JsonValue } from '../tool';

const encoder = new TextEncoder();

/** UTF-8 bytes of a text. */
export const textBytes = (text: string): number => encoder.encode(text).length;

/** Bytes of a value written as compact JSON: the unit of every schema budget here. */
export const jsonBytes = (value: JsonValue): number => textBytes(JSON.stringify(value));

const MARK = '…';
const MARK_BYTES = 3;

/**
 * `text` cut to at most `maxBytes` of UTF-8, between characters, with `…` where something is missing
 * (the mark counts). With less room than the mark needs, nothing.
 */
export function clipBytes(text: string, maxBytes: number): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return text;
  if (maxBytes < MARK_BYTES) return '';
  let end = maxBytes - MARK_BYTES;
  // Bytes 10xxxxxx continue a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return new TextDecoder().decode(bytes.subarray(0, end)) + MARK;
}
