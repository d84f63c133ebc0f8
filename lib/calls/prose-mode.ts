import { blockMode } from './block-mode';
import { type Candidate, createCandidate, startsName } from './candidate';
import { MARKERS } from './dialects/table';
import { fenceMode } from './fence-mode';
import { type Flow, goesOn, type Mode, mayBeMentioned } from './flow';
import { isCallCloser, isThoughtCloser, type Marker } from './markers';
import { createMatcher } from './matcher';
import { messageMode } from './message-mode';
import type { Reading } from './raw-call';
import { REPLY_LIMIT } from './result';
import { thoughtMode } from './thought-mode';
import { beginsMessage, readUnmarked } from './unmarked';

/** Closes a call whose opener got lost. */
const LOST_OPENER = { kind: 'call', dialect: 'hermes', open: '', closers: [] } as const;

/** A prose reader also decides what a marker outside of anything begins. */
export interface ProseMode extends Mode {
  marker(marker: Marker, written: string): void;
}

/**
 * In prose. Holds back what may still become a marker or an unmarked call, and lets go of the first
 * character as soon as it cannot.
 */
export function proseMode(flow: Flow, names: readonly string[] | undefined): ProseMode {
  const matcher = createMatcher(MARKERS);
  let hold = '';
  let markerPossible = false;
  let candidate: Candidate | undefined;
  /** A marker that follows a whole unmarked value directly: where in `hold` it begins. */
  let tailAt = 0;
  /** The end tag of a thought that the sentence may only speak of: the next character tells. */
  let thoughtEnd = '';

  const mayBegin = (c: string): boolean =>
    flow.lineStart &&
    !flow.again &&
    !flow.sawMarkup &&
    (c === '{' || c === '[' || (names !== undefined && startsName(names, c)));
  const wholeReply = (): boolean => !flow.sawProse && !flow.sawUnmarked;

  function clear(): string {
    const text = hold;
    hold = '';
    tailAt = 0;
    candidate = undefined;
    markerPossible = false;
    return text;
  }

  /** The held text begins nothing: its first character is prose, the rest is read again. */
  function release(): void {
    const text = clear();
    flow.prose(text.charAt(0));
    flow.feedAgain(text.slice(1));
  }

  function read(text: string): Reading | undefined {
    const reading = readUnmarked(text, flow.context, wholeReply());
    return reading && (reading.calls.length > 0 || reading.texts.length > 0) ? reading : undefined;
  }

  /** Something follows a whole unmarked value, so it was no call, unless the reply is known to be one. */
  function leaveValue(whole: number): void {
    const first = wholeReply();
    const text = clear();
    const value = text.slice(0, whole);
    const reading = first ? read(value) : undefined;
    const told = flow.context.dialect === 'json' || flow.context.dialect === 'llama';
    if (reading && (told || reading.calls.length === 0)) flow.unmarked(reading);
    else flow.prose(value);
    flow.feed(text.slice(whole));
  }

  function onCandidate(found: Candidate, c: string): void {
    const verdict = found.feed(c);
    if (verdict === 'more' && hold.length <= REPLY_LIMIT) {
      if (c === '"' && wholeReply() && beginsMessage(hold)) {
        clear();
        flow.enter(messageMode(flow));
      }
    } else if (verdict === 'more') flow.prose(clear());
    else if (verdict === 'stop' && c === '<' && matcher.start(c)) tailAt = hold.length - 1;
    else if (found.whole() > 0) leaveValue(found.whole());
    else if (markerPossible) candidate = undefined;
    else release();
  }

  /** A marker right after an unmarked value: a turn end, or the closer of a call that lost its opener. */
  function onTail(found: Candidate, c: string): void {
    const match = matcher.feed(c);
    if (match === 'more') return;
    const kind = match === 'none' ? undefined : match.marker;
    if (kind?.kind === 'end') {
      hold = hold.slice(0, tailAt);
      tailAt = 0;
    } else if (kind && isCallCloser(kind)) {
      const text = clear().slice(0, found.whole());
      flow.sawMarkup = true;
      flow.sink.markup(LOST_OPENER, { text, opener: '', closed: true });
    } else leaveValue(found.whole());
  }

  /** The end of a thought that never began here, unless one did. */
  function endThought(): void {
    if (!flow.sawThought) flow.strayThoughtEnd();
  }

  function marker(found: Marker, written: string): void {
    const quoted = flow.last === '`';
    switch (found.kind) {
      case 'call': {
        const own = written.length - (found.keep ?? 0);
        flow.enter(blockMode(flow, found, written.slice(0, own)));
        flow.feed(written.slice(own));
        return;
      }
      case 'thought':
      case 'result':
        if (found.kind === 'thought' && flow.again && !flow.lineStart) {
          // Read before: it began no thought.
          flow.prose(written);
          return;
        }
        flow.enter(thoughtMode(flow, found.kind, found.closers, written));
        return;
      case 'fence':
        if (flow.openFence && found.open === '```') flow.openFence = false;
        else flow.enter(fenceMode(flow, names, written));
        return;
      case 'closer':
        if (quoted || found.open === '</parameter>') flow.prose(written);
        else if (isThoughtCloser(found)) {
          if (mayBeMentioned(flow)) thoughtEnd = written;
          else endThought();
        }
        return;
      case 'end':
        if (quoted) flow.prose(written);
        return;
      default:
        flow.prose(written);
    }
  }

  return {
    marker,
    step(c) {
      if (thoughtEnd !== '') {
        const written = thoughtEnd;
        thoughtEnd = '';
        if (goesOn(c)) flow.prose(written);
        else endThought();
      }
      if (hold === '') {
        const word = (c === 'f' || c === 'F') && flow.lineStart;
        markerPossible = (word || '<[`~'.includes(c)) && matcher.start(c);
        candidate = mayBegin(c) ? createCandidate(names) : undefined;
        candidate?.feed(c);
        if (markerPossible || candidate) hold = c;
        else flow.prose(c);
        return;
      }
      hold += c;
      if (tailAt > 0 && candidate) {
        onTail(candidate, c);
        return;
      }
      if (markerPossible) {
        const match = matcher.feed(c);
        if (match !== 'more' && match !== 'none') {
          const text = clear();
          marker(match.marker, text.slice(0, match.length));
          flow.feed(text.slice(match.length));
          return;
        }
        markerPossible = match === 'more';
      }
      if (candidate) onCandidate(candidate, c);
      else if (!markerPossible) release();
    },
    end() {
      if (thoughtEnd !== '') endThought();
      thoughtEnd = '';
      if (hold === '') return;
      // After a call, half an end tag was going to be one.
      if (flow.sawMarkup && markerPossible && /^<\/./.test(hold)) {
        clear();
        return;
      }
      const whole = markerPossible ? matcher.atEnd() : undefined;
      if (whole) {
        const text = clear();
        marker(whole.marker, text.slice(0, whole.length));
        flow.feed(text.slice(whole.length));
        flow.end();
        return;
      }
      const reading = candidate && read(tailAt > 0 ? hold.slice(0, tailAt) : hold);
      if (reading) {
        clear();
        flow.unmarked(reading);
      } else if (candidate && candidate.whole() > 0) {
        const at = candidate.whole();
        const text = clear();
        flow.prose(text.slice(0, at));
        flow.feedAgain(text.slice(at));
        flow.end();
      } else {
        release();
        flow.end();
      }
    },
  };
}
