import { MARKERS } from './dialects/table';
import { type Flow, goesOn, type Mode } from './flow';
import { CALL_OPENER, type Marker } from './markers';
import { createMatcher } from './matcher';
import { REPLY_LIMIT } from './result';

/**
 * Inside a thought (`thinking` gets its text) or a tool result the model made up (nothing does).
 * Only its closer ends it: no call in it is read. A made-up result also ends at the next call.
 *
 * A thought that begins behind words on a line is held until it ends. If it never does, the answer
 * only named the tag, and all of it is prose. A thought that names another one ends at the last of
 * their ends.
 */
export function thoughtMode(
  flow: Flow,
  kind: 'thought' | 'result',
  closers: readonly string[],
  written: string,
): Mode {
  const matcher = createMatcher(MARKERS);
  const isThought = kind === 'thought';
  const quoted = flow.last === '`' && written !== '';
  /** What may turn out to be prose; nothing where the thought is certain. */
  let held: string | undefined = isThought && written !== '' && !flow.lineStart ? '' : undefined;
  let hold = '';
  let empty = true;
  /** Thoughts opened and not closed. */
  let depth = 1;
  /** What followed the first end of a thought in a thought: prose, unless another end comes. */
  let after: { end: string; text: string } | undefined;
  /** An end tag that a sentence of a held thought may only speak of. */
  let doubtful = '';
  if (isThought && held === undefined) flow.sawThought = true;

  function show(text: string): void {
    empty = false;
    if (after) after.text += text;
    else if (held !== undefined && held.length + text.length <= REPLY_LIMIT) held += text;
    else if (isThought) {
      release();
      flow.sink.thinking(text);
    }
  }
  /** It is a thought. */
  function release(): void {
    if (held === undefined) return;
    flow.sawThought = true;
    flow.sink.thinking(held);
    held = undefined;
  }
  function close(text: string): void {
    if (after) {
      const inner = after;
      after = undefined;
      show(inner.end + inner.text);
    }
    if (--depth > 0) after = { end: text, text: '' };
    else {
      release();
      flow.toProse();
    }
  }

  function onMarker(marker: Marker, text: string): void {
    const own = marker.kind === 'closer' || marker.open === '<tool_response|>';
    if (own && closers.includes(marker.open)) {
      if (held !== undefined && /[\s"'“‘«(*_~[]$/.test(held)) doubtful = text;
      else close(text);
    } else if (!isThought && (marker.kind === 'call' || marker.kind === 'end')) {
      flow.toProse();
      flow.marker(marker, text);
    } else {
      if (isThought && marker.kind === 'thought') depth++;
      show(text);
    }
  }

  return {
    step(c) {
      if (doubtful !== '') {
        const text = doubtful;
        doubtful = '';
        if (goesOn(c)) show(text);
        else {
          close(text);
          flow.feed(c);
          return;
        }
      }
      if (hold === '') {
        if (quoted && empty && c === '`') {
          flow.toProse();
          flow.prose(written + c);
        } else if ((c === '<' || c === '[') && matcher.start(c)) hold = c;
        else show(c);
        return;
      }
      hold += c;
      const match = matcher.feed(c);
      if (match === 'more') return;
      const text = hold;
      hold = '';
      if (match === 'none') {
        show(text.charAt(0));
        flow.feed(text.slice(1));
        return;
      }
      onMarker(match.marker, text.slice(0, match.length));
      flow.feed(text.slice(match.length));
    },
    end() {
      show(hold);
      hold = '';
      if (doubtful !== '') close(doubtful);
      doubtful = '';
      const rest =
        after?.text ?? (held !== undefined && !CALL_OPENER.test(held) ? held : undefined);
      const opener = after ? '' : written;
      if (after) release();
      flow.toProse();
      if (rest === undefined) {
        release();
        if (isThought && depth > 0) flow.sink.thoughtLeftOpen();
        return;
      }
      flow.prose(opener);
      flow.feedAgain(rest);
      flow.end();
    },
  };
}
