/**
 * The first `max` UTF-16 units of `text`, one fewer where the cut would halve a surrogate pair: half
 * a pair is no character and breaks encoders further on.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max);
}

/** The text without the characters of `ends` at its end. Linear, unlike a pattern that looks for the end. */
export function withoutEnd(text: string, ends: string): string {
  let length = text.length;
  while (length > 0 && ends.includes(text.charAt(length - 1))) length--;
  return text.slice(0, length);
}
