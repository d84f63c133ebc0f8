import type { Flow, Mode, Sink } from './flow';
import { THOUGHT_ENDS } from './markers';
import { proseMode } from './prose-mode';
import type { ReadContext, Reading } from './raw-call';
import { thoughtMode } from './thought-mode';

/** Reads a reply as it comes and tells the sink what it is made of. `end` makes it ready for the next. */
export interface ReplyReader {
  push(delta: string): void;
  end(): void;
}

/** The one reader behind parsing and streaming, so that both agree on every reply. */
export function createReplyReader(
  sink: Sink,
  context: ReadContext,
  beginsInThought = false,
): ReplyReader {
  const names = context.toolNames && [...context.toolNames].sort();
  /** How many characters are being read for the second time. */
  let repeated = 0;

  /** Calls in fences behind which nothing was said so far, and the space behind the last of them. */
  let waiting: { reading: Reading; written: string }[] = [];
  let gap = '';

  const flow: Flow = {
    sink,
    context,
    lineStart: true,
    last: '',
    lastWord: '',
    sawProse: false,
    sawMarkup: false,
    sawUnmarked: false,
    sawThought: false,
    sawSample: false,
    openFence: false,
    plain: false,
    again: false,
    prose(text) {
      if (waiting.length > 0) {
        if (text.trim() === '') {
          gap += text;
          return;
        }
        const samples = waiting.map((fence) => fence.written).join('') + gap;
        waiting = [];
        gap = '';
        flow.sawSample = true;
        flow.prose(samples);
      }
      for (let i = 0; i < text.length; i++) {
        const c = text.charAt(i);
        if (c === '\n') flow.lineStart = true;
        else if (c.trim() !== '') {
          flow.lineStart = false;
          flow.lastWord = c;
          flow.sawProse = true;
        }
        flow.last = c;
      }
      sink.prose(text);
    },
    fenced(reading, written) {
      waiting.push({ reading, written: gap + written });
      gap = '';
      flow.sawUnmarked = true;
    },
    strayThoughtEnd() {
      waiting = [];
      sink.strayThoughtEnd();
    },
    unmarked(reading) {
      for (const text of reading.texts) flow.prose(text);
      if (reading.calls.length > 0) {
        flow.sawUnmarked = true;
        sink.unmarked(reading);
      }
    },
    enter(next) {
      mode = next;
    },
    toProse() {
      mode = prose;
    },
    marker: (marker, written) => prose.marker(marker, written),
    feed(text) {
      for (let i = 0; i < text.length; i++) mode.step(text.charAt(i));
    },
    feedAgain(text) {
      repeated += text.length;
      for (let i = 0; i < text.length; i++) {
        flow.again = repeated > 0;
        if (repeated > 0) repeated--;
        mode.step(text.charAt(i));
      }
      flow.again = repeated > 0;
    },
    end: () => mode.end(),
  };

  let prose = proseMode(flow, names);
  let mode: Mode = prose;
  const begin = (): void => {
    prose = proseMode(flow, names);
    mode = beginsInThought ? thoughtMode(flow, 'thought', THOUGHT_ENDS, '') : prose;
    flow.lineStart = true;
    flow.last = flow.lastWord = '';
    flow.sawProse = flow.sawMarkup = flow.sawUnmarked = flow.openFence = flow.plain = false;
    flow.sawThought = beginsInThought;
    flow.again = flow.sawSample = false;
    repeated = 0;
  };
  begin();
  return {
    push: (delta) => flow.feed(delta),
    end() {
      flow.end();
      const fences = waiting;
      waiting = [];
      gap = '';
      for (const { reading } of fences) flow.unmarked(reading);
      begin();
    },
  };
}
