import { MARKERS } from './dialects/table';
import type { Flow, Mode } from './flow';
import { type CallMarker, isCallCloser, type Marker } from './markers';
import { createMatcher } from './matcher';
import { REPLY_LIMIT } from './result';
import { isSpace, opensString } from './value-scan';

const RAW = 'raw';
/** `name[`: P-Format values, which only `]` ends. */
const SLOTS = 'slots';
/** After `</parameter>` in a value: its end, if what follows may follow a value. */
const RAW_ENDED = 'raw ended';
/** After `</function>` in a value: the end of both, if the reply or another call follows. */
const RAW_CLOSED = 'raw closed';
const CLOSES_XML = new Set(['</function>', '</invoke>']);

/**
 * Inside call markup. It ends at its closer, the next opener or the reply's end; markers inside a
 * string do not count, unless the string turns out never to end.
 */
export function blockMode(flow: Flow, first: CallMarker, written: string): Mode {
  let marker = first;
  let opener = written;
  const matcher = createMatcher(MARKERS);
  let hold = '';
  let body = '';
  let blank = true;
  /** The quote that opened the current string, a quote marker, `raw…` or `slots`; empty outside strings. */
  let quote = '';
  let escaped = false;
  let before = '';
  let depth = 0;
  /** The value is over, for markers without a closer; `gap` is what followed it. */
  let done = false;
  /** All so far could be a tool's name. */
  let word = true;
  let gap = '';
  /** Where the current value without quotes begins. */
  let rawAt = 0;
  /** The first marker met inside a string. */
  let inString: { at: number; length: number; closes: boolean } | undefined;
  /** "`<tool_call>`": someone talks about the marker. */
  const quoted = flow.last === '`';

  function append(text: string): void {
    if (body.length < REPLY_LIMIT) body += text;
    blank &&= text.trim() === '';
  }

  function leave(closed: boolean): void {
    flow.toProse();
    flow.sawMarkup = true;
    flow.openFence ||= !closed && marker.closers.includes('```');
    flow.sink.markup(marker, { text: body, opener, closed });
  }

  /** A marker in a value without quotes, or after what may be its end; true when it is dealt with. */
  function inRaw(found: Marker, text: string): boolean {
    const follows = found.kind === 'call' || found.kind === 'end' || isCallCloser(found);
    if (quote === RAW_CLOSED && follows) {
      body = body.slice(0, inString?.at);
      leave(true);
      flow.marker(found, text);
      return true;
    }
    if (quote === RAW_ENDED && (follows || found.kind === 'raw')) {
      quote = '';
      inString = undefined;
      return false;
    }
    quote = RAW;
    if (CLOSES_XML.has(found.open)) {
      inString = { at: body.length, length: text.length, closes: true };
      quote = RAW_CLOSED;
    } else if (found.open === '</parameter>') quote = RAW_ENDED;
    else {
      const own = found.kind === 'call' && found.dialect === 'qwen-xml';
      const begins = own && /\n\s{0,16}$/.test(body) && body.slice(rawAt).trim() !== '';
      if (begins) quote = '';
      return false;
    }
    append(text);
    return true;
  }

  function onMarker(found: Marker, text: string): void {
    if (quote.startsWith(RAW) && inRaw(found, text)) return;
    if (quote !== '') {
      if (found.kind === 'quote' && quote === text) quote = '';
      else if (found.kind === 'call' || found.kind === 'end' || isCallCloser(found)) {
        const closes = isCallCloser(found) || marker.closers.includes(found.open);
        inString ??= { at: body.length, length: text.length, closes };
      }
      escaped = false;
      before = '"';
      append(text);
      return;
    }
    const ends =
      marker.closers.includes(found.open) || (isCallCloser(found) && depth <= 0 && !blank);
    if (ends || found.kind === 'end') leave(ends);
    else if (found.kind === 'call' && blank) {
      flow.openFence ||= marker.closers.includes('```');
      marker = found;
      opener = text;
      body = '';
    } else if (found.kind === 'call' || found.kind === 'result') {
      leave(false);
      flow.marker(found, text);
    } else {
      if (!flow.plain && found.kind === 'quote') quote = text;
      if (!flow.plain && found.kind === 'raw') quote = RAW;
      before = '"';
      append(text);
      rawAt = body.length;
    }
  }

  function plainChar(c: string): void {
    if (quote.startsWith(RAW) && !isSpace(c)) quote = RAW;
    if (done && (isSpace(c) || c === ',' || c === ';')) {
      gap += c;
      return;
    }
    // Only a separator can promise another value; without one, a bracket is prose.
    if (done && !((c === '{' || c === '[') && /[,;]/.test(gap))) {
      leave(true);
      flow.feed(gap.replace(/[,;]/g, '') + c);
      return;
    }
    append(gap + c);
    gap = '';
    done = false;
    if (quote === '"' || quote === "'" || quote === SLOTS) {
      if (escaped) escaped = false;
      else if (c === '\\') escaped = true;
      else if (c === quote || (quote === SLOTS && c === ']')) quote = '';
    } else if (quote === '' && !isSpace(c)) {
      if (!flow.plain && opensString(c, before)) quote = c;
      else if (!flow.plain && c === '[' && word && before !== '') quote = SLOTS;
      else if (c === '{' || c === '[' || c === '(') depth++;
      else if (c === '}' || c === ']' || c === ')') {
        depth--;
        done = depth <= 0 && marker.endsWithValue === true;
      }
      before = c;
      word &&= /[\w./:-]/.test(c);
    }
  }

  return {
    step(c) {
      if (hold !== '') {
        hold += c;
        const match = matcher.feed(c);
        if (match === 'more') return;
        const text = hold;
        hold = '';
        if (match === 'none') plainChar(text.charAt(0));
        else onMarker(match.marker, text.slice(0, match.length));
        flow.feed(text.slice(match === 'none' ? 1 : match.length));
      } else if (quoted && body === '' && c === '`') {
        flow.toProse();
        flow.prose(opener + c);
      } else if (startsMarker(c, marker) && matcher.start(c)) hold = c;
      else plainChar(c);
    },
    end() {
      const whole = hold === '' ? undefined : matcher.atEnd();
      if (whole && quote === '' && marker.closers.includes(whole.marker.open)) {
        hold = '';
        leave(true);
        return;
      }
      // Outside a string, half a marker at the very end is a marker that was cut off.
      if (quote !== '') body += hold;
      hold = '';
      if (quote === RAW_ENDED) quote = '';
      if (quote === '' || !inString) {
        leave(done);
        return;
      }
      // The string never ended, so it was no string: the marker inside it was real.
      const { at, length, closes } = inString;
      const tail = body.slice(closes ? at + length : at);
      body = body.slice(0, at);
      flow.plain = true;
      leave(closes);
      flow.feedAgain(tail);
      flow.end();
    },
  };
}

const startsMarker = (c: string, marker: CallMarker): boolean =>
  c === '<' || c === '[' || (c === '`' && marker.closers.includes('```'));
