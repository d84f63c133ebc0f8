import type { CallMarker, Marker } from './markers';
import type { CallBody, ReadContext, Reading } from './raw-call';

/** Where a reply's parts go, in order. */
export interface Sink {
  prose(text: string): void;
  thinking(text: string): void;
  /** Call markup with what stood in it, unread. */
  markup(marker: CallMarker, body: CallBody): void;
  /** Calls that no marker announced. They give way to marked ones. */
  unmarked(reading: Reading): void;
  /** The reply ended inside a thought. */
  thoughtLeftOpen(): void;
  /** A thought ended that never began here: all before was thought. */
  strayThoughtEnd(): void;
}

/** What the reader is inside of. Gets one character at a time, and the end of the reply. */
export interface Mode {
  step(c: string): void;
  end(): void;
}

/**
 * Whether a tag that stands here may be one that the sentence speaks of, going by what is before it:
 * it follows a word of its line, not the end of a sentence.
 */
export const mayBeMentioned = (flow: Flow): boolean =>
  !flow.lineStart && /[\s"'“‘«(*_~[]/.test(flow.last) && !/[.!?…。！？]/.test(flow.lastWord);

/** The same, going by the character behind it: the sentence goes on. */
export const goesOn = (c: string): boolean => c !== '\n' && !/[\p{L}\p{N}<{[]/u.test(c);

/** The running state that modes share. */
export interface Flow {
  readonly sink: Sink;
  readonly context: ReadContext;
  /** Only whitespace since the last line break. */
  lineStart: boolean;
  /** The last character of prose. */
  last: string;
  /** The last that was no space. */
  lastWord: string;
  sawProse: boolean;
  sawMarkup: boolean;
  sawUnmarked: boolean;
  sawThought: boolean;
  /** A fence with a call in it turned out to be a sample: so are those that follow. */
  sawSample: boolean;
  /** A fence was opened around marked calls: its end is markup too. */
  openFence: boolean;
  /** The current character is read for the second time: no unmarked call may begin with it. */
  again: boolean;
  /** Strings no longer hide markers: the reply has shown that its quotes do not match. */
  plain: boolean;
  prose(text: string): void;
  unmarked(reading: Reading): void;
  /** Calls in a fence: a sample, and prose, where words follow. `written` is the fence as it stood. */
  fenced(reading: Reading, written: string): void;
  strayThoughtEnd(): void;
  enter(mode: Mode): void;
  toProse(): void;
  /** A marker met outside of anything. */
  marker(marker: Marker, written: string): void;
  /** Reads text in whatever mode is current, character by character. */
  feed(text: string): void;
  /** The same text again, in which nothing unmarked may begin any more: each character is read at most twice. */
  feedAgain(text: string): void;
  /** Ends the current mode. */
  end(): void;
}
