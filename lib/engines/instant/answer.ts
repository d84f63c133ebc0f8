import type { Known } from './known';
import { actionsOf, isReading, sameThing } from './meanings';
import { bestMatches, refer } from './refer';
import type { Item, ResultData, Scalar } from './results';
import { type DoneCall, TOOL_SEARCH, type Turn } from './turn';
import { identifierWords, isStopWord, sayName, stem, wordsOf } from './words';

const MAX_TEXT = 700;
const MAX_SHOWN = 5;

const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text;
const sentence = (text: string): string => {
  const flat = text.trim();
  if (flat === '') return '';
  const upper = (flat[0] ?? '').toUpperCase() + flat.slice(1);
  return /[.!?…]$/.test(upper) ? upper : `${upper}.`;
};

/** What the tools brought, in words: the newest result, after a word on each change made before it. */
export function answerOf(turn: Turn, tools: readonly Known[]): string {
  const calls = turn.calls.filter((c) => c.name !== TOOL_SEARCH);
  const last = calls.at(-1);
  if (!last?.result) return 'Done.';
  // A tool that this step does not show is judged by its name alone.
  const changes = (c: DoneCall): boolean => {
    const known = tools.find((k) => k.tool.name === c.name);
    if (known) return !known.reads;
    const verb = [...actionsOf(stem(identifierWords(c.name)[0] ?? ''))];
    return verb.length > 0 && !verb.some(isReading);
  };
  const earlier = calls.slice(0, -1).filter((c) => changes(c) && c.result && !c.result.isError);
  const parts = earlier.map((c) => sentence(oneResult(c, turn.ask, true)));
  parts.push(sentence(oneResult(last, turn.ask, changes(last))));
  return cut(parts.join(' '), MAX_TEXT * 2);
}

function oneResult(call: DoneCall, ask: string, changed: boolean): string {
  const data = call.result;
  if (
    !data ||
    /^(?:done|ok|okay|success|null|undefined|true|done \(empty text\)|empty object)?\.?$/i.test(
      data.text,
    )
  )
    return `Done: ${sayName(call.name)}`;
  if (data.items.length > 0) {
    const sums = totalsIn(data);
    if (changed) return `Done: ${sayName(call.name)}. Now ${sums || listOf(data, '')}`;
    return [listOf(data, ask), sentence(sums)].filter((s) => s !== '').join('. ');
  }
  if (isEmptyResult(data)) return `Nothing was found with “${sayName(call.name)}”`;
  if (data.fields.size > 0) return recordOf(data, ask, changed ? call.name : undefined);
  return cut(data.text, MAX_TEXT);
}

/** A list with nothing in it. */
export const isEmptyResult = (data: ResultData): boolean =>
  /^(?:empty list|\[\]|none)$/i.test(data.text) || emptyList(data);

const SUM = /^(?:sub)?totals?$|total|balance|discount|sum$/i;

/** Sums beside a list: "total 48". */
const totalsIn = (data: ResultData): string =>
  [...data.fields]
    .filter(
      ([k, v]) =>
        SUM.test(k) && !/count|items|results|pages/i.test(k) && v !== 0 && v !== data.total,
    )
    .filter(([, v], i, all) => all.findIndex(([, x]) => x === v) === i)
    .slice(0, 3)
    .map(([k, v]) => `${sayName(k)} ${say(v)}`)
    .join(', ');

const emptyList = (data: ResultData): boolean =>
  data.fields.size > 0 &&
  [...data.fields].every(
    ([k, v]) =>
      v === 'none' ||
      ((v === 0 || v === '0') && /total|count|results|found/i.test(k)) ||
      /query|page/i.test(k),
  );

function listOf(data: ResultData, ask: string): string {
  const own = new Set<string>();
  const field = askedField(ask, data.items);
  const reference = refer(ask, data, own);
  if (field && reference.kind === 'one') {
    const value = fieldOf(reference.item, field);
    if (value !== undefined) return `${reference.item.label}: ${sayName(field)} ${say(value)}`;
  }
  const asksExtreme =
    /\b(?:cheapest|most expensive|nearest|closest|earliest|latest|best|highest|lowest|fastest)\b/i.test(
      ask,
    );
  if (asksExtreme && reference.kind === 'one' && data.items.length > 1)
    return `${itemOf(reference.item)}`;
  const best = bestMatches(ask, data.items, own);
  const total = data.total ?? data.items.length;
  // What fits the words best comes first; nothing is hidden.
  const order =
    best.length > 0 && best.length < data.items.length
      ? [...best, ...data.items.filter((i) => !best.includes(i))]
      : data.items;
  const shown = order.slice(0, MAX_SHOWN).map(itemOf);
  const left = total - shown.length;
  const head = total === 1 ? 'I found one' : `I found ${total}`;
  return cut(`${head}: ${shown.join('; ')}${left > 0 ? `; and ${left} more` : ''}`, MAX_TEXT);
}

const SHOWN_FIELD =
  /price|cost|fare|amount|total|balance|status|state|date|time|rating|stars|distance|duration|depart|arriv|due|unread|from|column|assignee|qty|quantity|stock|author|replies|doctor|city|code|value|temperature/i;
const HIDDEN_FIELD = /(?:^|_)(?:id|slug|sku|uuid|key|url|href|image|currency)$|Id$|Url$/;

function itemOf(item: Item): string {
  const extras = [...item.fields]
    .filter(
      ([k, v]) =>
        SHOWN_FIELD.test(k) && !HIDDEN_FIELD.test(k) && v !== 'none' && String(v) !== item.label,
    )
    .slice(0, 3)
    .map(([k, v]) =>
      /^(?:price|cost|fare|amount|date|time)$/i.test(k) ? say(v) : `${sayName(k)} ${say(v)}`,
    );
  return extras.length > 0 ? `${cut(item.label, 80)} (${extras.join(', ')})` : cut(item.label, 120);
}

const say = (value: Scalar): string =>
  value === true ? 'yes' : value === false ? 'no' : cut(String(value), 120);

/** The name of a field that the request asks for: "how much" is a price, "when" a date or time. */
function askedField(ask: string, items: readonly Item[]): string | undefined {
  const keys = [...new Set(items.flatMap((i) => [...i.fields.keys()]))];
  const words = wordsOf(ask).filter((w) => !isStopWord(w.text));
  const byKind = (pattern: RegExp): string | undefined => keys.find((k) => pattern.test(k));
  if (/\bhow much\b|\bcosts?\b|\bprice\b/i.test(ask))
    return byKind(/price|cost|fare|amount|total|balance/i);
  if (/\bwhen\b|\bwhat time\b/i.test(ask)) return byKind(/date|time|depart|start|due|when/i);
  if (/\bwhere\b/i.test(ask)) return byKind(/location|address|place|venue|city|room/i);
  if (/\bhow (?:many|far|long)\b/i.test(ask)) {
    const k = byKind(
      /far/i.test(ask)
        ? /distance|km|miles/i
        : /long/i.test(ask)
          ? /duration|minutes|time/i
          : /count|quantity|qty|stock|number|unread/i,
    );
    if (k) return k;
  }
  if (!/^(?:what|which|is|are|how|tell me)\b/i.test(ask.trim())) return undefined;
  return keys.find(
    (k) =>
      !HIDDEN_FIELD.test(k) &&
      !/^(?:name|title)$/i.test(k) &&
      identifierWords(k)
        .map(stem)
        .some((s) => words.some((w) => w.stem === s || sameThing(w.stem, s))),
  );
}

const fieldOf = (item: Item, field: string): Scalar | undefined => item.fields.get(field);

function recordOf(data: ResultData, ask: string, changed: string | undefined): string {
  const item: Item = { fields: data.fields, label: '' };
  const message = [...data.fields].find(
    ([k, v]) =>
      /^(?:message|confirmation|summary|text|detail|result|answer)$/i.test(k) &&
      typeof v === 'string',
  );
  const field = changed === undefined ? askedField(ask, [item]) : undefined;
  if (field) {
    const value = data.fields.get(field);
    const label = ['name', 'title', 'label', 'subject']
      .map((k) => data.fields.get(k))
      .find((v) => typeof v === 'string');
    if (value !== undefined)
      return `${label === undefined ? '' : `${label}: `}${sayName(field)} ${say(value)}`;
  }
  if (message && String(message[1]).length > 3) return cut(String(message[1]), MAX_TEXT);
  const lead = changed === undefined ? '' : `Done: ${sayName(changed)}: `;
  const shown = [...data.fields].filter(
    ([k, v]) =>
      v !== 'none' &&
      !(
        changed !== undefined &&
        /^(?:ok|success|status)$/i.test(k) &&
        (v === true || v === 'ok' || v === 'success')
      ),
  );
  const said = shown.slice(0, 8).map(([k, v]) => `${sayName(k)} ${say(v)}`);
  const left = shown.length - said.length;
  return cut(`${lead}${said.join(', ')}${left > 0 ? ` and ${left} more` : ''}`, MAX_TEXT);
}

/** A call that failed or was refused, in words. */
export function failureOf(call: DoneCall): string {
  const text = call.result?.text ?? '';
  return `“${sayName(call.name)}” did not work: ${sentence(cut(text.replace(/^error:\s*/i, ''), 300)) || 'the page gave no reason.'}`;
}

const offer = (tools: readonly Known[]): string =>
  tools.length === 0
    ? 'This page offers no tools right now.'
    : `Here I can: ${tools
        .slice(0, 8)
        .map((k) => sayName(k.tool.name))
        .join(', ')}${tools.length > 8 ? ' and more' : ''}.`;

/** Nothing on the page does what was asked. */
export function nothingFits(tools: readonly Known[], part: string | undefined): string {
  const what =
    part === undefined
      ? 'I found no tool on this page for that.'
      : `For “${cut(part, 80)}” I found no tool on this page.`;
  return `${what} ${offer(tools)}`;
}

const HELLO =
  /^(?:hi|hello|hey|good (?:morning|evening|afternoon)|hallo|yo)\b[\s!.,]*(?:there|pagehand)?[\s!.,]*$/i;
const THANKS = /^(?:thanks?|thank you|thx|cheers|great|perfect|nice|ok(?:ay)?|cool)\b[^?]{0,30}$/i;
const HELP =
  /^(?:help|what can (?:you|i|this page|this site) do|what (?:are|is) (?:your|the|available) tools?|how does this work|what do you do|which tools)\b/i;

/** Small talk needs no tool. `undefined` where it is none. */
export function saidHello(ask: string, tools: readonly Known[]): string | undefined {
  if (HELLO.test(ask.trim())) return `Hello. ${offer(tools)}`;
  if (HELP.test(ask.trim())) return offer(tools);
  if (THANKS.test(ask.trim()) && ask.trim().split(/\s+/).length <= 5) return 'You are welcome.';
  return ask.trim() === '' ? offer(tools) : undefined;
}
