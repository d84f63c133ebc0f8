import { createCandidate } from './candidate';
import { MARKERS } from './dialects/table';
import type { Flow, Mode } from './flow';
import { createMatcher } from './matcher';
import { closestNames } from './names';
import type { Reading } from './raw-call';
import { readUnmarked } from './unmarked';

/** Labels of fences that may hold a call; the empty label only at the start of a line. */
const LABELS = ['', 'json', 'jsonc', 'json5'];

/**
 * From a code fence on. A fence that may hold a call is held back until that is known; any other is
 * an example: all of it is prose, and no call in it is read.
 */
export function fenceMode(flow: Flow, names: readonly string[] | undefined, written: string): Mode {
  const tick = written.charAt(0);
  const atLine = flow.lineStart;
  let ticks = written.length;
  let hold = written;
  let label = '';

  /** No call here: show it, and stay an example where it began a line. */
  function giveUp(c: string): void {
    if (!atLine || c === '`') flow.toProse();
    else flow.enter(exampleMode(flow, tick, ticks, c !== '\n' && !hold.includes('\n')));
    flow.prose(hold);
  }

  const mayHoldCall = (): boolean =>
    tick === '`' &&
    ticks === 3 &&
    LABELS.includes(label.toLowerCase()) &&
    (atLine || label !== '') &&
    !flow.sawMarkup &&
    !flow.sawSample;

  return {
    step(c) {
      if (c === tick && label === '') {
        ticks++;
        hold += c;
      } else if (/[\w+.#-]/.test(c) && tick === '`') {
        label += c;
        hold += c;
        const known = LABELS.some((l) => l.startsWith(label.toLowerCase()));
        if (!known || ticks > 3) giveUp(c);
      } else if (mayHoldCall()) {
        flow.enter(heldFenceMode(flow, names, hold));
        flow.feed(c);
      } else {
        if (!atLine || c === '`') flow.toProse();
        else flow.enter(exampleMode(flow, tick, ticks, true));
        flow.prose(hold);
        flow.feed(c);
      }
    },
    end() {
      flow.prose(hold);
      flow.toProse();
    },
  };
}

/** In an example. `firstLine`: a backtick there shows that it was inline code, not a fence. */
function exampleMode(flow: Flow, tick: string, ticks: number, infoLine: boolean): Mode {
  let firstLine = infoLine;
  let run = 0;
  return {
    step(c) {
      if (firstLine) {
        if (c === '\n') firstLine = false;
        if (c === '`' && tick === '`') flow.toProse();
        flow.prose(c);
        return;
      }
      if (c === tick && (run > 0 || flow.lineStart)) run++;
      else if (run >= ticks) {
        flow.toProse();
        flow.feed(c);
        return;
      } else run = 0;
      flow.prose(c);
    },
    end() {
      flow.toProse();
    },
  };
}

/** In a fence that may hold a call: nothing is shown before it is known not to. */
function heldFenceMode(flow: Flow, names: readonly string[] | undefined, opening: string): Mode {
  const candidate = createCandidate(names);
  const matcher = createMatcher(MARKERS);
  let hold = opening;
  let content = '';
  let ticks = 0;
  let markerAt = -1;

  function decide(): void {
    const reading = readUnmarked(content, flow.context, true);
    flow.toProse();
    if (reading && (reading.texts.length > 0 || isMeant(reading))) flow.fenced(reading, hold);
    else flow.prose(hold);
  }
  /** Behind words, a name that is like none of those offered is somebody else's. */
  function isMeant({ calls }: Reading): boolean {
    const { toolNames } = flow.context;
    if (calls.length === 0 || !flow.sawProse || toolNames === undefined) return calls.length > 0;
    return calls.some(
      ({ name }) => toolNames.has(name) || closestNames(name, toolNames).length > 0,
    );
  }
  function giveUp(): void {
    flow.enter(exampleMode(flow, '`', 3, false));
    flow.prose(hold);
  }

  return {
    step(c) {
      hold += c;
      if (markerAt >= 0) {
        const match = matcher.feed(c);
        if (match === 'more') return;
        const text = hold.slice(markerAt);
        if (match === 'none' || match.marker.kind !== 'call') {
          giveUp();
          return;
        }
        // A marked call in a plain fence: the fence is only wrapping.
        flow.toProse();
        flow.openFence = true;
        flow.marker(match.marker, text.slice(0, match.length));
        flow.feed(text.slice(match.length));
      } else if (c === '`' && candidate.idle()) {
        if (++ticks === 3) decide();
      } else if (ticks > 0) giveUp();
      else if (c === '<' && content.trim() === '' && matcher.start(c)) markerAt = hold.length - 1;
      else {
        content += c;
        if (candidate.feed(c) !== 'more') giveUp();
      }
    },
    end() {
      if (markerAt >= 0) content = '';
      decide();
    },
  };
}
