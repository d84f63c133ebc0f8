import { deedOf } from './deed';
import type { Known } from './known';
import { actionsOf, isReading, sameThing } from './meanings';
import { bestMatches, mostOf, refer } from './refer';
import type { Item, ResultData } from './results';
import { isHidden, isMoney, sentence, shorten, tellItem, tellItems, tellValue } from './tell';
import { type DoneCall, TOOL_SEARCH, type Turn } from './turn';
import { identifierWords, isStopWord, sayName, stem, wordsOf } from './words';

const MAX_TEXT = 700;

/** What the tools brought, in words: the newest result, after a word on each change made before it. */
export function answerOf(turn: Turn, tools: readonly Known[]): string {
  const calls = turn.calls.filter((c) => c.name !== TOOL_SEARCH);
  const last = calls.at(-1);
  if (!last?.result) return 'Done.';
  const seen = [...calls, ...turn.earlier].flatMap((c) => (c.result ? [c.result] : []));
  // A tool that this step does not show is judged by its name alone.
  const changes = (c: DoneCall): boolean => {
    const known = tools.find((k) => k.tool.name === c.name);
    if (known) return !known.reads;
    const verb = [...actionsOf(stem(identifierWords(c.name)[0] ?? ''))];
    return verb.length > 0 && !verb.some(isReading);
  };
  const told = (c: DoneCall): string[] =>
    changes(c) ? changeOf(c, seen) : readingOf(c, turn.ask, seen);
  const earlier = calls.slice(0, -1).filter((c) => changes(c) && c.result && !c.result.isError);
  return inOne([...earlier.flatMap(told), ...told(last)]);
}

/** Sentences on one line; a table stands apart, also from what is put behind it. */
function inOne(parts: readonly string[]): string {
  let text = '';
  let table = false;
  for (const part of parts.map(sentence).filter((p) => p !== '')) {
    const apart = table || part.includes('\n');
    text += text === '' ? part : `${apart ? '\n\n' : ' '}${part}`;
    table = part.endsWith('|');
  }
  return table ? `${text}\n\n` : text;
}

const saysNothing = (data: ResultData | undefined): boolean =>
  !data ||
  (data.items.length === 0 &&
    data.fields.size === 0 &&
    /^(?:done|ok|okay|success|null|undefined|true|done \(empty text\)|empty object)?\.?$/i.test(
      data.text.trim(),
    ));

/** What came of a call that changed something: the page's own words, else the deed; then what is so now. */
function changeOf(call: DoneCall, seen: readonly ResultData[]): string[] {
  const data = call.result;
  const deed = deedOf(call, seen);
  if (!data || saysNothing(data)) return [deed];
  const sums = sumsOf(data);
  const lead = messageOf(data) ?? deed;
  if (data.items.length > 0) return [lead, sums === '' ? listed('Now', data, []) : sums];
  if (data.fields.size === 0) return [isEmptyResult(data) ? deed : shorten(data.text, MAX_TEXT)];
  if (lead !== deed) return [lead, sums];
  const given = new Set(Object.values(call.arguments).map(String));
  const fields = [...data.fields.keys()].filter((k) => !given.has(String(data.fields.get(k))));
  return [deed, fieldsOf(data, fields)];
}

/** What a call brought that only read: what was asked of it, else all. */
function readingOf(call: DoneCall, ask: string, seen: readonly ResultData[]): string[] {
  const data = call.result;
  if (!data || saysNothing(data)) return [deedOf(call, seen)];
  if (data.items.length > 0) return [...itemsFor(call, data, ask), sumsOf(data)];
  if (isEmptyResult(data)) return [nothingIn(call, ask)];
  if (data.fields.size > 0) return [recordOf(data, ask)];
  if (/^[[{]/.test(data.text)) return ['The page answered with data that I cannot put into words'];
  return [shorten(data.text, MAX_TEXT)];
}

const GOOD = /^(?:ok|okay|success|successful|succeeded|done|true|complete|completed|200)$/i;
/** Fields that tell how the call went, not what came of it. */
const OUTCOME = /^(?:ok|success|status|status_?code|code|result)$/i;
const isOutcome = (key: string, data: ResultData): boolean =>
  OUTCOME.test(key) && GOOD.test(String(data.fields.get(key)));
const ASKED = /query|search|keyword|page|limit|offset|size|sort|order_?by|currency|has_?more/i;

/** A result that lists nothing: an empty list, or one beside counts of nothing and what was asked. */
export function isEmptyResult(data: ResultData): boolean {
  if (/^(?:empty list|\[\]|none)$/i.test(data.text.trim())) return true;
  if (data.items.length > 0 || data.fields.size === 0) return false;
  const fields = [...data.fields].filter(([key]) => !isOutcome(key, data) && !ASKED.test(key));
  const isNone = (value: unknown): boolean => value === 'none' || value === 0 || value === '0';
  const listsNothing = fields.some(
    ([key, v]) => v === 'none' || (isNone(v) && /total|count|results|found/i.test(key)),
  );
  return listsNothing && fields.every(([key, v]) => isNone(v) || /^message$/i.test(key));
}

const STATE_WORDS = /^(?:contents?|items?|list|summary|details?|info|overview|status)$/;

/** That nothing is there, by what was asked: for words looked for, in a place, or of a kind. */
function nothingIn(call: DoneCall, ask: string): string {
  const message = call.result && messageOf(call.result);
  if (message !== undefined) return message;
  const words = Object.values(call.arguments).filter((v) => typeof v === 'string' && v !== '');
  if (words.length > 0) return `Nothing was found for “${shorten(words.join(', '), 80)}”`;
  const [verb = '', ...rest] = identifierWords(call.name);
  const noun = actionsOf(stem(verb)).size > 0 ? rest : [verb, ...rest];
  while (noun.length > 1 && STATE_WORDS.test(noun.at(-1) ?? '')) noun.pop();
  const kind = noun.join(' ');
  if (kind === '') return 'Nothing was found';
  if (/[^s]s$/.test(kind)) return `There are no ${kind}`;
  return `${/\b(?:my|mine|i|i've)\b/i.test(ask) ? 'Your' : 'The'} ${kind} is empty`;
}

const SUM = /total|balance|discount|sum$/i;

/** Sums beside a list: "Total: €48". */
function sumsOf(data: ResultData): string {
  const sums = [...data.fields]
    .filter(([k, v]) => SUM.test(k) && isMoney(k) && v !== 0 && v !== 'none' && v !== data.total)
    .filter(([, v], i, all) => all.findIndex(([, x]) => x === v) === i);
  return fieldsOf(
    data,
    sums.slice(0, 3).map(([k]) => k),
  );
}

/** The items, or the one that the words single out. */
function itemsFor(call: DoneCall, data: ResultData, ask: string): string[] {
  // What was looked for fits every item: it names none of them.
  const own = new Set(wordsOf(Object.values(call.arguments).join(' ')).map((w) => w.stem));
  const field = askedField(ask, data.items);
  const most = mostOf(ask, data, own);
  if (most && data.items.length > 1) return [tellItem(most.item, data.fields, most.field)];
  const reference = refer(ask, data, own);
  if (field && reference.kind === 'one') {
    const value = tellValue(field, reference.item.fields, data.fields, MAX_TEXT);
    if (value !== '') return [`${reference.item.label}: ${sayName(field)} ${value}`];
  }
  const best = bestMatches(ask, data.items, own);
  // What fits the words best comes first; nothing is hidden.
  const first = best.length < data.items.length ? best : [];
  const finds = actionsOf(stem(identifierWords(call.name)[0] ?? '')).has('find');
  return [listed(finds ? 'I found' : 'There', data, first, field)];
}

function listed(
  lead: 'I found' | 'There' | 'Now',
  data: ResultData,
  first: readonly Item[],
  field?: string,
): string {
  const items = [...first, ...data.items.filter((i) => !first.includes(i))];
  const total = Math.max(data.total ?? 0, items.length);
  const [only] = items;
  const count = total === 1 ? 'one' : String(total);
  const head = {
    'I found': `I found ${count}`,
    There: `There ${total === 1 ? 'is' : 'are'} ${count}`,
    Now: `Now there ${total === 1 ? 'is' : 'are'} ${count}`,
  }[lead];
  if (total === 1 && only) return `${head}: ${tellItem(only, data.fields, field)}`;
  const told = tellItems(items, data.fields, total, field);
  return told.startsWith('|') ? `${head}:\n\n${told}` : `${head}: ${told}`;
}

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
      !isHidden(k) &&
      !/^(?:name|title)$/i.test(k) &&
      identifierWords(k)
        .map(stem)
        .some((s) => words.some((w) => w.stem === s || sameThing(w.stem, s))),
  );
}

const MESSAGE = /^(?:message|confirmation|summary|text|detail|result|answer)$/i;

/** What a result says in words of its own. */
function messageOf(data: ResultData): string | undefined {
  const said = [...data.fields].find(
    ([k, v]) => MESSAGE.test(k) && typeof v === 'string' && v.length > 3 && !GOOD.test(v),
  );
  return said && shorten(String(said[1]), MAX_TEXT);
}

/** The named fields in one sentence: "Days: 4, cost: €4.90". */
function fieldsOf(data: ResultData, keys: readonly string[]): string {
  const told = keys.filter((k) => {
    const value = data.fields.get(k);
    return value !== 'none' && !isOutcome(k, data) && !/currency|^units?$/i.test(k);
  });
  const shown = told.slice(0, 8).map((k) => `${sayName(k)}: ${tellValue(k, data.fields)}`);
  const left = told.length - shown.length;
  return `${shown.join(', ')}${left > 0 ? `, and ${left} more` : ''}`;
}

function recordOf(data: ResultData, ask: string): string {
  const field = askedField(ask, [{ fields: data.fields, label: '' }]);
  const label = ['name', 'title', 'label', 'subject'].find(
    (k) => typeof data.fields.get(k) === 'string',
  );
  const name = label === undefined ? undefined : String(data.fields.get(label));
  if (field) {
    const value = `${sayName(field)} ${tellValue(field, data.fields, data.fields, MAX_TEXT)}`;
    return name === undefined ? value.replace(' ', ': ') : `${name}: ${value}`;
  }
  const message = messageOf(data);
  if (message !== undefined) return message;
  const keys = [...data.fields.keys()].filter((k) => k !== label);
  const told = fieldsOf(data, keys);
  if (told === '') return name ?? 'Done';
  return name === undefined ? told : `${name}: ${told}`;
}

/** A call that failed or was refused, in words. */
export function failureOf(call: DoneCall): string {
  const text = call.result?.text ?? '';
  return `“${sayName(call.name)}” did not work: ${sentence(shorten(text.replace(/^error:\s*/i, ''), 300)) || 'the page gave no reason.'}`;
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
      : `For “${shorten(part, 80)}” I found no tool on this page.`;
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
