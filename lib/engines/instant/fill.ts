import type { JsonObject, JsonValue } from '../../tools/tool';
import { assignDates } from './assign-dates';
import { assignNumbers } from './assign-numbers';
import { assignPhrases } from './assign-phrases';
import { takeBoolean } from './booleans';
import type { Known } from './choose';
import type { Clock } from './dates';
import { takeChoice, takeChoices } from './enums';
import { findAll, quotedSpans, type Scan, scanOf, take } from './scan';
import type { Slot } from './slots';

/** The arguments that the words of a request give a tool, and what is left over. */
export interface Filled {
  values: Map<Slot, JsonValue>;
  /** Required arguments that the words do not give. */
  missing: Slot[];
  /** What the words say of the thing meant, for arguments that only the page can name. */
  phrase: string;
}

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const URL_LIKE = /\bhttps?:\/\/[^\s"'<>]+[^\s"'<>.,;:!?)]|\bwww\.[^\s"'<>]+[^\s"'<>.,;:!?)]/giu;
const PHONE = /(?<![\p{L}\p{N}])\+?\d[\d\s().-]{6,16}\d(?![\p{L}\p{N}])/gu;
const CODE =
  /(?<![\p{L}\p{N}])#?((?:[A-Za-z]{1,6}[-_]?\d[\dA-Za-z]*(?:-[\dA-Za-z]+)*)|(?:\d+[-_]\d[\d-]*))(?![\p{L}\p{N}])/gu;
const NUMBERED = /(?:#|\b(?:no\.?|nr\.?|number|id)\s*)(\d+)\b/giu;

/** Reads the arguments of one tool out of the words of one clause. Nothing is made up. */
export function fill(known: Known, text: string, clock: Clock | undefined): Filled {
  const scan = scanOf(text.slice(0, 2000));
  const values = new Map<Slot, JsonValue>();
  const open = (): Slot[] => known.slots.filter((s) => !values.has(s));
  const give = (slot: Slot, value: JsonValue): void => {
    if (!values.has(slot)) values.set(slot, slot.many && !Array.isArray(value) ? [value] : value);
  };
  takeCued(scan, open(), give);
  takeQuoted(scan, open(), give);
  takePatterns(scan, open(), give);
  takeCodes(scan, open(), give, known);
  for (const slot of open().sort((a, b) => Number(b.required) - Number(a.required))) {
    if (slot.kind === 'enum') {
      const choice = takeChoice(scan, slot);
      if (choice !== undefined) give(slot, choice);
    } else if (slot.kind === 'enums') {
      const choices = takeChoices(scan, slot);
      if (choices.length > 0) give(slot, choices);
    } else if (slot.kind === 'boolean') {
      const said = takeBoolean(scan, slot);
      if (said !== undefined) give(slot, said);
    }
  }
  assignDates(scan, open(), clock, give);
  assignNumbers(
    scan,
    open().filter((s) => s.kind === 'number'),
    give,
  );
  const phrase = assignPhrases(scan, known, open(), give);
  return { values, missing: known.slots.filter((s) => s.required && !values.has(s)), phrase };
}

type Give = (slot: Slot, value: JsonValue) => void;

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const TEXTUAL: ReadonlySet<Slot['kind']> = new Set(['text', 'body', 'ref', 'list']);

/** "subject: Lunch", "quantity = 3", "saying I am late": the request names the argument itself. */
function takeCued(scan: Scan, slots: Slot[], give: Give): void {
  const body = slots.find((s) => s.kind === 'body');
  const names = slots.map((s) => literal(s.words.join(' '))).filter((n) => n !== '');
  const cue =
    names.length > 0
      ? new RegExp(
          `[,;]?\\s*(?:and\\s+|with\\s+)?(?:the\\s+)?\\b(?:${names.join('|')})\\s*(?::|=|\\bis\\b)`,
          'i',
        )
      : undefined;
  if (body) {
    const said =
      /[,:]?\s*\b(?:(?:and )?(?:saying|says?|tell(?:ing)? (?:him|her|them|everyone|us)|that reads|stating)(?: that)?|that says|which says|with the (?:message|text|body|words|comment|note)|(?:the )?(?:message|text|body|note|comment)(?: is|:| should (?:be|say)))\s*:?\s+(.+)$/is.exec(
        scan.text,
      );
    if (said?.[1]) {
      const value = unquote(said[1]);
      give(body, value);
      take(scan, said.index, scan.text.length);
    }
  }
  for (const slot of slots) {
    if (!TEXTUAL.has(slot.kind) || slot === body || slot.words.length === 0) continue;
    const name = literal(slot.words.join(' '));
    const pattern = new RegExp(
      `[,;]?\\s*(?:\\b(?:and|with|the)\\s+)*\\b${name}\\s*(?::|=|\\bis\\b)\\s*(.+)$`,
      'is',
    );
    const match = pattern.exec(scan.text);
    if (!match?.[1] || scan.used[match.index + match[0].length - 1]) continue;
    const rest = match[1];
    const next = cue?.exec(rest);
    const raw = next ? rest.slice(0, next.index) : rest;
    const quoted = quotedSpans(raw)[0];
    const piece =
      quoted && quoted.start < 2
        ? raw.slice(0, quoted.end)
        : (/^(.*?)(?:[;,](?:\s|$)|$)/s.exec(raw)?.[1] ?? raw);
    if (piece.trim() === '') continue;
    give(slot, unquote(piece));
    const start = match.index + match[0].length - rest.length;
    take(scan, match.index, start + piece.length);
  }
}

const unquote = (text: string): string =>
  text
    .trim()
    .replace(/^["“'‘](.*)["”'’]\.?$/s, '$1')
    .replace(/^that\s+/i, '');

function takeQuoted(scan: Scan, slots: Slot[], give: Give): void {
  const texts = slots.filter((s) => s.kind === 'text' || s.kind === 'body' || s.kind === 'list');
  const taken = new Set<Slot>();
  for (const quote of quotedSpans(scan.text)) {
    if (scan.used[quote.start]) continue;
    const lead = scan.text.slice(0, quote.start).toLowerCase();
    const near = lead
      .split(/[\s,]+/)
      .filter((w) => w !== '')
      .slice(-3);
    const free = texts.filter((s) => !taken.has(s));
    const slot =
      free.find((s) => s.words.some((w) => near.includes(w))) ??
      free.find(
        (s) =>
          /\b(?:called|named|titled)\s*$/.test(lead) &&
          s.words.some((w) => /^(?:name|title|label|subject)$/.test(w)),
      ) ??
      free.find((s) => s.required) ??
      free[0];
    if (!slot) continue;
    taken.add(slot);
    give(slot, quote.value);
    const cue =
      /\b(?:called|named|titled|title|name|subject|with|the|and|saying|says|as|to|for)\s*$/i;
    let start = quote.start;
    for (let m = cue.exec(scan.text.slice(0, start)); m; m = cue.exec(scan.text.slice(0, start)))
      start = m.index;
    take(scan, start, quote.end);
  }
}

function takePatterns(scan: Scan, slots: Slot[], give: Give): void {
  const kinds: [Slot['kind'], RegExp][] = [
    ['email', EMAIL],
    ['url', URL_LIKE],
    ['phone', PHONE],
  ];
  for (const [kind, pattern] of kinds) {
    const found = findAll(scan, pattern);
    // An address also fits "to" or "recipient", whatever the page calls it.
    const fitting = slots.filter(
      (s) =>
        s.kind === kind ||
        (kind === 'email' &&
          (s.kind === 'text' || s.kind === 'list') &&
          s.words.some((w) =>
            /^(?:to|cc|bcc|recipients?|contact|invitees?|attendees?|user|payee)$/.test(w),
          )),
    );
    for (const slot of fitting) {
      const spans = slot.many ? found.splice(0) : found.splice(0, 1);
      const [first] = spans;
      if (!first) break;
      give(slot, slot.many ? spans.map((s) => s.value) : first.value);
      for (const span of spans) take(scan, span.start, span.end);
    }
  }
}

/** "order SH-1042", "card #7": keys that the user says outright. */
function takeCodes(scan: Scan, slots: Slot[], give: Give, known: Known): void {
  const refs = slots.filter(
    (s) =>
      s.kind === 'ref' ||
      s.words.some((w) => /^(?:code|coupon|voucher|pnr|booking|confirmation)$/.test(w)),
  );
  for (const slot of refs) {
    if (slot.kind !== 'ref' && slot.kind !== 'text') continue;
    if (slot.integer) {
      const nouns = slot.words.filter((w) => w !== 'id').map(literal);
      const named =
        nouns.length > 0
          ? findAll(
              scan,
              new RegExp(
                `\\b(?:${nouns.join('|')})\\s+(?:#|no\\.?\\s*|number\\s+|nr\\.?\\s*)?(\\d+)\\b`,
                'giu',
              ),
            )
          : [];
      const [first] = [...named, ...findAll(scan, NUMBERED)];
      if (!first) continue;
      give(slot, Number(first.value));
      take(scan, first.start, first.end);
      continue;
    }
    const code = findAll(scan, CODE).find(
      (c) =>
        /\d/.test(c.value) &&
        !/^\d{1,2}(?:am|pm|st|nd|rd|th|h|k|km|x)$/i.test(c.value) &&
        !/^\d{4}-\d\d-\d\d$/.test(c.value),
    );
    const word = code ?? saidCode(scan, slot) ?? numbered(scan, slot, known);
    if (!word) continue;
    give(slot, word.value);
    take(scan, word.start, word.end);
  }
}

/** A code without digits is only taken where the request names it: "code WELCOME". */
function saidCode(scan: Scan, slot: Slot) {
  if (!slot.words.some((w) => /^(?:code|coupon|voucher|pnr)$/.test(w))) return undefined;
  return (
    findAll(scan, /\b(?:code|coupon|voucher|pnr)\s+(?:is\s+)?["']?([A-Za-z0-9_-]{3,20})\b/giu).find(
      (s) => /[A-Z]{3}/.test(s.value),
    ) ?? findAll(scan, /\b([A-Z][A-Z0-9]{4,19})\b/gu)[0]
  );
}

function numbered(scan: Scan, slot: Slot, known: Known) {
  const nouns = [
    ...slot.words.filter((w) => w !== 'id'),
    ...known.tool.name.split(/[^a-z]+/i).filter((w) => w.length > 3),
  ].map(literal);
  const direct =
    nouns.length > 0
      ? findAll(
          scan,
          new RegExp(
            `\\b(?:${nouns.join('|')})s?\\s+(?:#|no\\.?\\s*|number\\s+)?(\\d{2,})\\b`,
            'giu',
          ),
        )
      : [];
  return direct[0] ?? findAll(scan, NUMBERED)[0];
}

/** Puts a value at its path; keys such as `__proto__` are plain keys. */
export function argumentsOf(values: ReadonlyMap<Slot, JsonValue>): JsonObject {
  const root: JsonObject = {};
  for (const [slot, value] of values) {
    let at = root;
    for (const key of slot.path.slice(0, -1)) {
      const inner = Object.hasOwn(at, key) ? at[key] : undefined;
      const next: JsonObject =
        typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
      define(at, key, next);
      at = next;
    }
    define(at, slot.name, value);
  }
  return root;
}

const define = (at: JsonObject, key: string, value: JsonValue): void => {
  Object.defineProperty(at, key, { value, enumerable: true, configurable: true, writable: true });
};
