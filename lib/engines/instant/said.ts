import type { Give } from './fill';
import type { Known } from './known';
import { findAll, freeText, quotedSpans, type Scan, take } from './scan';
import type { Slot } from './slots';

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const URL_LIKE = /\bhttps?:\/\/[^\s"'<>]+[^\s"'<>.,;:!?)]|\bwww\.[^\s"'<>]+[^\s"'<>.,;:!?)]/giu;
const PHONE = /(?<![\p{L}\p{N}])\+?\d[\d\s().-]{6,16}\d(?![\p{L}\p{N}])/gu;
/** Street with number, then postcode and town; or the other way round, as in "12 High Street, Leeds". */
const ADDRESS =
  /\p{Lu}[\p{L}.'-]*(?:\s\p{Lu}?[\p{L}.'-]+){0,3}\s\d{1,4}[a-z]?(?:,\s*\d{4,5}\s\p{Lu}[\p{L}.-]+(?:\s\p{Lu}[\p{L}.-]+)*)?|\d{1,5}\s(?:\p{Lu}[\p{L}.'-]*\s){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Way|Court|Square)\b\.?(?:,\s*\p{Lu}[\p{L}.-]+(?:\s\p{Lu}[\p{L}.-]+)*)?(?:,?\s+\p{Lu}{2}\s+\d{5})?/gu;
const POSTCODE = /\b(?:\d{4,6}|\p{Lu}{1,2}\d[\p{Lu}\d]?\s?\d\p{Lu}{2})\b/gu;
const CODE =
  /(?<![\p{L}\p{N}-])#?((?:[A-Za-z]{1,6}[-_](?=[A-Za-z]*\d)[\dA-Za-z]{2,}(?:-[\dA-Za-z]+)*)|(?:[A-Za-z]{1,6}[-_]?\d[\dA-Za-z]*(?:-[\dA-Za-z]+)*)|(?:\d+[-_]\d[\d-]*))(?![\p{L}\p{N}])/gu;
const NUMBERED = /(?:#|\b(?:no\.?|nr\.?|number|id)\s*)(\d+)\b/giu;

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const TEXTUAL: ReadonlySet<Slot['kind']> = new Set(['text', 'body', 'ref', 'list']);

const SAYING =
  /[,:]?\s*\b(?:(?:and )?(?:saying|says?|tell(?:ing)? (?:him|her|them|everyone|us)|that reads|stating)(?: that)?|that says|which says|with the (?:message|text|body|words|comment|note)|(?:the )?(?:message|text|body|note|comment)(?: is|:| should (?:be|say)))\s*:?\s+(.+)$/is;
/** Last words of names that people say for the whole: "name" for `guest_name`. */
const SHORT_NAME = /^(?:name|title|subject|reason|reference|note|message|topic|comment)$/;

const nameOf = (slot: Slot): string => {
  const last = slot.words.at(-1) ?? '';
  const full = literal(slot.words.join(' '));
  return slot.words.length > 1 && SHORT_NAME.test(last) ? `(?:${full}|${last})` : full;
};

/** "Tell support about it: the cap is torn": what follows the colon is the message. */
function takeAfterColon(scan: Scan, body: Slot, give: Give): void {
  const colon = /(?<=\p{L}\s+\p{L}[^:]{0,300}):\s+(?![^:]*:\s)(\S.{3,})$/su.exec(scan.text);
  if (!colon?.[1]) return;
  give(body, unquote(colon[1]), 0.3);
  take(scan, colon.index, scan.text.length);
}

/** "subject: Lunch", "name is Tom", "saying I am late": the request names the argument itself. */
export function takeCued(scan: Scan, slots: Slot[], give: Give): void {
  const body = slots.find((s) => s.kind === 'body');
  const said = body && SAYING.exec(scan.text);
  if (body && said?.[1]) {
    const quote = quotedSpans(said[1])[0];
    const isQuoted = quote !== undefined && quote.start === 0;
    const start = said.index + said[0].length - said[1].length;
    give(body, isQuoted ? quote.value : unquote(said[1]), 0.5);
    take(scan, said.index, isQuoted ? start + quote.end : scan.text.length);
  } else if (body?.required) takeAfterColon(scan, body, give);
  const names = slots.filter((s) => s.words.length > 0).map(nameOf);
  if (names.length === 0) return;
  const anyCue = new RegExp(
    `[,;]?\\s*(?:\\b(?:and|with|the|my)\\s+)*\\b(?:${names.join('|')})\\s*(?::|=|\\bis\\b)`,
    'i',
  );
  for (const slot of slots) {
    if (!TEXTUAL.has(slot.kind) || (slot === body && said) || slot.words.length === 0) continue;
    const pattern = new RegExp(
      `[,;]?\\s*(?:\\b(?:and|with|the|my)\\s+)*\\b${nameOf(slot)}\\s*(?::|=|\\bis\\b)\\s*(.+)$`,
      'is',
    );
    const match = pattern.exec(freeText(scan).trimEnd());
    if (!match?.[1]) continue;
    const rest = match[1];
    const next = anyCue.exec(rest);
    const raw = next ? rest.slice(0, next.index) : rest;
    const quoted = quotedSpans(raw)[0];
    const piece =
      quoted && quoted.start < 2
        ? raw.slice(0, quoted.end)
        : (/^(.*?)(?:[;,](?:\s|$)|\s{3,}|$)/s.exec(raw)?.[1] ?? raw);
    if (piece.trim() === '') continue;
    give(slot, unquote(piece), 0.5);
    const start = match.index + match[0].length - rest.length;
    take(scan, match.index, start + piece.length);
  }
}

const unquote = (text: string): string =>
  text
    .trim()
    .replace(/^["“'‘](.*)["”'’]\.?$/s, '$1')
    .replace(/^that\s+/i, '');

export function takeQuoted(scan: Scan, slots: Slot[], give: Give): void {
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
    give(slot, quote.value, 0.2);
    const cue =
      /\b(?:called|named|titled|title|name|subject|with|the|and|saying|says|as|to|for)\s*$/i;
    let start = quote.start;
    for (let m = cue.exec(scan.text.slice(0, start)); m; m = cue.exec(scan.text.slice(0, start)))
      start = m.index;
    take(scan, start, quote.end);
  }
}

export function takePatterns(scan: Scan, slots: Slot[], give: Give): void {
  const kinds: [Slot['kind'], RegExp][] = [
    ['email', EMAIL],
    ['url', URL_LIKE],
    ['phone', PHONE],
    ['address', ADDRESS],
    ['postcode', POSTCODE],
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
      const speaks = slot.kind === kind ? 0.9 : 0.5;
      give(slot, slot.many ? spans.map((s) => s.value) : first.value, speaks);
      for (const span of spans) {
        const lead = INTRODUCES.exec(scan.text.slice(0, span.start));
        take(scan, lead ? lead.index : span.start, span.end);
      }
    }
  }
}

/** What comes before an address or a number and is no part of anything else. */
const INTRODUCES =
  /(?:[,;]?\s*\b(?:and\s+)?(?:my|the|his|her)\s+(?:e-?mail|mail|phone|mobile|number|address|postcode|zip)(?:\s+(?:address|number|code))?\s+is|\b(?:to|at|from|in|for|via|on))\s*$/i;

/** "order SH-1042", "card #7": keys that the user says outright. */
export function takeCodes(scan: Scan, slots: Slot[], give: Give, known: Known): void {
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
      give(slot, Number(first.value), 0.8);
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
    give(slot, word.value, 0.8);
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
