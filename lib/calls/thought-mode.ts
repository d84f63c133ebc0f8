import { MARKERS } from './dialects/table';
import type { Flow, Mode } from './flow';
import { createMatcher } from './matcher';

/**
 * Inside a thought (`thinking` gets its text) or a tool result the model made up (nothing does).
 * Only its closer ends it: no call in it is read. A made-up result also ends at the next call.
 */
export function thoughtMode(
  flow: Flow,
  kind: 'thought' | 'result',
  closers: readonly string[],
  written: string,
): Mode {
  const matcher = createMatcher(MARKERS);
  let hold = '';
  let empty = true;
  const quoted = flow.last === '`' && written !== '';
  const show = (text: string): void => {
    empty = false;
    if (kind === 'thought') flow.sink.thinking(text);
  };
  return {
    step(c) {
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
      const { marker, length } = match;
      const own = marker.kind === 'closer' || marker.open === '<tool_response|>';
      if (own && closers.includes(marker.open)) flow.toProse();
      else if (kind === 'result' && (marker.kind === 'call' || marker.kind === 'end')) {
        flow.toProse();
        flow.marker(marker, text.slice(0, length));
      } else show(text.slice(0, length));
      flow.feed(text.slice(length));
    },
    end() {
      show(hold);
      hold = '';
      if (kind === 'thought') flow.sink.thoughtLeftOpen();
      flow.toProse();
    },
  };
}
