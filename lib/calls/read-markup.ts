import type { Dialect } from './dialects/dialect';
import { DIALECTS, MARKERS } from './dialects/table';
import { type CallMarker, isCallCloser } from './markers';
import { createMatcher } from './matcher';
import { type CallBody, join, type ReadContext, type Reading, unread } from './raw-call';
import { scanValue } from './value-scan';

/** Forms told by how they begin come first; JSON, which is looked for anywhere, last. */
const ORDER: readonly Dialect[] = [
  DIALECTS['qwen-xml'],
  DIALECTS.gemma,
  DIALECTS['p-format'],
  DIALECTS.liquid,
  DIALECTS.deepseek,
  DIALECTS.json,
];

/**
 * Reads what stood in call markup. Models mix dialects, so every form is tried in every marker.
 * Nothing at all in it is nothing at all; anything else is a call or one report of what is wrong.
 */
export function readMarkup(marker: CallMarker, body: CallBody, context: ReadContext): Reading {
  const text = unfence(body.text);
  const named = /^<(?:function|invoke)(?:=|\s+name)/i.test(body.opener);
  if (text === '' && !named) return join([]);
  const broken = brokenOff(text);
  const whole = broken ? undefined : readOne(marker, { ...body, text }, context);
  if (whole && (whole.calls.length > 0 || whole.texts.length > 0)) return whole;
  const parts = cutAtMarkers(text);
  if (parts.length < 2) return whole ?? readOne(marker, { ...body, text }, context);
  return join(
    parts.map((part) => readOne(marker, { text: part, opener: '', closed: false }, context)),
  );
}

function readOne(marker: CallMarker, body: CallBody, context: ReadContext): Reading {
  if (body.text.trim() === '' && body.opener === '') return join([]);
  let told: Reading | undefined;
  for (const dialect of ORDER) {
    const reading = dialect.read(body, context);
    if (!reading) continue;
    if (reading.calls.length > 0 || reading.texts.length > 0) return closing(reading, marker, body);
    if (!told || dialect.id === marker.dialect) told = reading;
  }
  return told ?? unread(body.text, 'it is not in the form of a call');
}

const NEEDS_NO_CLOSER = new Set<string>(['granite', 'mistral']);

/** An unclosed marker is worth a word, where its dialect closes them. */
function closing(reading: Reading, marker: CallMarker, body: CallBody): Reading {
  if (body.closed || marker.closers.length === 0 || NEEDS_NO_CLOSER.has(marker.dialect)) {
    return reading;
  }
  for (const call of reading.calls) {
    if (!call.repairs.some((r) => r.startsWith('closed')))
      call.repairs.push('closed an unclosed call');
  }
  return reading;
}

/** Takes off a fence that stands around all of it. */
function unfence(text: string): string {
  const trimmed = text.trim();
  const opening = /^```[\w-]{0,16}/.exec(trimmed);
  if (!opening) return trimmed.endsWith('```') ? trimmed.slice(0, -3).trimEnd() : trimmed;
  const inner = trimmed.slice(opening[0].length);
  return (inner.endsWith('```') ? inner.slice(0, -3) : inner).trim();
}

/** JSON that breaks off before its end: the rest may belong to a call that swallowed it. */
function brokenOff(text: string): boolean {
  return (text.startsWith('{') || text.startsWith('[')) && !scanValue(text, 0).complete;
}

/** The pieces between markers that a broken string hid. */
function cutAtMarkers(text: string): string[] {
  const matcher = createMatcher(MARKERS);
  const parts: string[] = [];
  let from = 0;
  let start = -1;
  for (let i = 0; i < text.length; i++) {
    if (start < 0) {
      if (text.charAt(i) === '<' && matcher.start('<')) start = i;
      continue;
    }
    const match = matcher.feed(text.charAt(i));
    if (match === 'more') continue;
    if (match !== 'none' && (match.marker.kind === 'call' || isCallCloser(match.marker))) {
      parts.push(text.slice(from, start));
      from = start + match.length;
    }
    i = start + (match === 'none' ? 0 : match.length - 1);
    start = -1;
  }
  parts.push(text.slice(from));
  return parts;
}
