import type { ResultData } from './results';
import type { DoneCall } from './turn';
import { identifierWords, sayName } from './words';

const VERBS = new Set(
  'accept add append apply approve archive assign book buy cancel change choose clear close complete confirm create decline delete disable draw edit enable follow forward insert invite join leave like lock mark move order pause pay pick pin place post publish put register reject remove rename reopen replace reply report reschedule reserve reset resume return save schedule select send set share start stop submit subscribe switch transfer turn unlock unsubscribe update upload'.split(
    ' ',
  ),
);
const IRREGULAR = new Map(
  'buy bought,choose chose,draw drew,leave left,pay paid,put put,reset reset,send sent,set set'
    .split(',')
    .map((pair): [string, string] => [pair.split(' ')[0] ?? '', pair.split(' ')[1] ?? '']),
);
const DOUBLED = new Set('cancel pin stop submit'.split(' '));

function past(verb: string): string {
  const known = IRREGULAR.get(verb);
  if (known !== undefined) return known;
  if (verb.endsWith('e')) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  return `${verb}${DOUBLED.has(verb) ? verb.at(-1) : ''}ed`;
}

const PREPOSITION = new Set('to from in into on onto for at with by of'.split(' '));
const PARTICLE = new Set('on off out up down back in'.split(' '));
const ANY_THING = /^(?:a |the |an |new )?(?:item|product|thing|entry|element|article)$/;
const COUNT = /^(?:qty|quantity|count|how_?many)$/i;
const NAMING = /^(?:\w+_)?(?:name|title|subject|label)$|^(?:item|product)$/i;
const KEYED = /^(?:id|slug|sku|code|ref|number)$|_(?:id|slug|sku|code|number)$|[a-z]Id$/;
const MAX_NAME = 80;

/**
 * What a call did, said from its name and arguments: "Added 3 × Trail Cap to the cart". A thing told by
 * its key is called by the name that `seen` results give it.
 */
export function deedOf(call: DoneCall, seen: readonly ResultData[]): string {
  const [verb = '', ...rest] = identifierWords(call.name);
  if (!VERBS.has(verb)) return `Done: ${sayName(call.name)}`;
  const words = [past(verb)];
  const turns = rest.length === 1 || verb === 'turn' || verb === 'switch';
  if (rest[0] !== undefined && turns && PARTICLE.has(rest[0])) words.push(rest.shift() ?? '');
  const at = rest.findIndex((w) => PREPOSITION.has(w));
  const noun = (at < 0 ? rest : rest.slice(0, at)).join(' ');
  const place = at < 0 ? [] : rest.slice(at);
  const thing = thingOf(call, noun, seen);
  const plainNoun = noun === '' || ANY_THING.test(noun);
  if (plainNoun && thing !== undefined) words.push(thing);
  else if (noun !== '') words.push(`the ${noun}`);
  if (place.length > 1) words.push(place[0] ?? '', `the ${place.slice(1).join(' ')}`);
  const said = words.join(' ');
  return plainNoun || thing === undefined ? said : `${said}: ${thing}`;
}

function thingOf(call: DoneCall, noun: string, seen: readonly ResultData[]): string | undefined {
  const given = Object.entries(call.arguments).flatMap(([key, v]): [string, string][] =>
    (typeof v === 'string' || typeof v === 'number') && String(v).length <= MAX_NAME
      ? [[key, String(v)]]
      : [],
  );
  const keyed = given.filter(([key]) => KEYED.test(key));
  const named =
    keyed.map(([, value]) => labelOf(value, seen)).find((name) => name !== undefined) ??
    given.find(([key]) => NAMING.test(key) || (noun !== '' && sayName(key) === noun))?.[1] ??
    keyed[0]?.[1];
  const count = given.find(([key, v]) => COUNT.test(key) && Number(v) > 1)?.[1];
  return named !== undefined && count !== undefined ? `${count} × ${named}` : named;
}

const labelOf = (key: string, seen: readonly ResultData[]): string | undefined =>
  seen
    .flatMap((data) => data.items)
    .find(
      (item) =>
        item.label !== '' && [...item.fields].some(([k, v]) => KEYED.test(k) && String(v) === key),
    )?.label;
