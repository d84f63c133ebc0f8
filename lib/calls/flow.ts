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

/** The running state that modes share. */
export interface Flow {
  readonly sink: Sink;
  readonly context: ReadContext;
  /** Only whitespace since the last line break. */
  lineStart: boolean;
  /** The last character of prose. */
  last: string;
  sawProse: boolean;
  sawMarkup: boolean;
  sawUnmarked: boolean;
  sawThought: boolean;
  /** A fence was opened around marked calls: its end is markup too. */
  openFence: boolean;
  /** The current character is read for the second time: no unmarked call may begin with it. */
  again: boolean;
  /** Strings no longer hide markers: the reply has shown that its quotes do not match. */
  plain: boolean;
  prose(text: string): void;
  unmarked(reading: Reading): void;
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
