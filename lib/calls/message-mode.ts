import type { Flow, Mode } from './flow';
import { isSpace } from './value-scan';

/** What a `{"type":"message","text":"…"}` reply begins with, up to the first character of its text. */
export const MESSAGE_START =
  /^\s{0,16}\{\s{0,16}"type"\s{0,16}:\s{0,16}"message"\s{0,16},\s{0,16}"text"\s{0,16}:\s{0,16}"$/;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
]);

/** Inside the text of a whole-reply message: decoded as it comes, so that it streams like prose. */
export function messageMode(flow: Flow): Mode {
  let pending = '';
  /** From a quote that may end the text. */
  let tail = '';
  let over = false;

  function decode(c: string): void {
    pending += c;
    if (pending === '\\u') return;
    if (pending.startsWith('\\u')) {
      if (!/^[0-9a-fA-F]$/.test(c)) {
        const text = pending;
        pending = '';
        flow.prose(text.slice(0, -1));
        flow.feed(c);
      } else if (pending.length === 6) {
        flow.prose(String.fromCharCode(Number.parseInt(pending.slice(2), 16)));
        pending = '';
      }
      return;
    }
    pending = '';
    flow.prose(ESCAPES.get(c) ?? c);
  }

  return {
    step(c) {
      if (over) return;
      if (pending !== '') decode(c);
      else if (tail === '') {
        if (c === '\\') pending = c;
        else if (c === '"') tail = c;
        else flow.prose(c);
      } else if (c === '}') flow.toProse();
      else if (c === '"' && tail.includes(',')) over = true;
      else if ((isSpace(c) || (c === ',' && !tail.includes(','))) && tail.length < 64) tail += c;
      else {
        // A quote the model forgot to escape: it was part of the text.
        const text = tail;
        tail = '';
        flow.prose(text);
        flow.feed(c);
      }
    },
    end() {
      flow.toProse();
    },
  };
}
