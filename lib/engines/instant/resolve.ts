import type { JsonValue } from '../../tools/tool';
import { askedActions } from './asks';
import type { Reply, Scene } from './decide';
import { argumentsOf, fill } from './fill';
import type { Known } from './known';
import type { Action } from './meanings';
import { POSITION } from './phrases';
import { type Intent, sameArguments } from './plan';
import { bestMatches, fieldFor, hasContent, type Reference, refer } from './refer';
import { type Item, namedInProse } from './results';
import type { Slot } from './slots';
import type { DoneCall } from './turn';
import { isStopWord } from './words';

export interface Wording {
  text: string;
  /** What the words say of the thing meant, without the tool's own words. */
  phrase: string;
  /** The step before, whose thing "it" is. */
  before?: Intent;
}
export type Resolved = { kind: 'done' } | { kind: 'several'; slot: Slot; items: Item[] };

const PRONOUN =
  /\b(?:it|its|that|this|those|them|these|that one|this one|the (?:first|second|third|last|cheapest|other)(?: one)?)\b/i;

/** Fills keys of the page from what earlier calls returned, where the words say which thing is meant. */
export function resolveReferences(
  scene: Scene,
  known: Known,
  values: Map<Slot, JsonValue>,
  wording: Wording,
): Resolved {
  const own = ownStems(known);
  for (const slot of known.slots) {
    if (values.has(slot) || slot.kind !== 'ref' || !(slot.required || PRONOUN.test(wording.text)))
      continue;
    const answered = fromAnswer(scene, known, slot, own);
    if (answered !== undefined) {
      values.set(slot, asList(slot, answered));
      continue;
    }
    const found = fromResults(scene, slot, wording, own);
    if (found.kind === 'value') values.set(slot, asList(slot, found.value));
    else if (found.kind === 'several') return { kind: 'several', slot, items: found.items };
  }
  return { kind: 'done' };
}

const asList = (slot: Slot, value: JsonValue): JsonValue => (slot.many ? [value] : value);

const ONE = /\b(?:it|that|this|that one|this one)\b/i;

/** The one thing of a result that the last answer named: "it" is that. */
function namedIn(reply: string | undefined, items: readonly Item[]): Item | undefined {
  const told = reply?.toLowerCase() ?? '';
  const named = items.filter((i) => i.label !== '' && told.includes(i.label.toLowerCase()));
  return named.length === 1 ? named[0] : undefined;
}

type Found =
  | { kind: 'value'; value: JsonValue }
  | { kind: 'several'; items: Item[] }
  | { kind: 'none' };

function fromResults(scene: Scene, slot: Slot, wording: Wording, own: ReadonlySet<string>): Found {
  const points = /\b(?:it|its|this|that)\b/i.test(wording.text);
  const said =
    hasContent(wording.phrase, own) && !points
      ? wording.text
      : `${wording.text} ${wording.before?.filled?.about ?? ''}`;
  const fresh = scene.turn.calls.toReversed();
  for (const [i, call] of [...fresh, ...scene.turn.earlier.toReversed()].entries()) {
    const data = call.result;
    if (!data || data.isError) continue;
    const old = i >= fresh.length;
    if (data.items.length > 0) {
      const items = data.items.filter((item) => fieldFor(slot, item) !== undefined);
      if (items.length === 0) continue;
      // A result of an earlier turn counts only where the words point at something in it.
      if (old && !PRONOUN.test(wording.text) && bestMatches(said, items, own).length === 0)
        continue;
      const named =
        old && ONE.test(wording.text) ? namedIn(scene.turn.before?.reply, items) : undefined;
      const reference: Reference = named
        ? { kind: 'one', item: named }
        : refer(said, { ...data, items }, own);
      if (reference.kind === 'several') return { kind: 'several', items: reference.items };
      if (reference.kind === 'none') return { kind: 'none' };
      const value = fieldFor(slot, reference.item);
      if (value !== undefined) return { kind: 'value', value };
    } else if (data.fields.size > 0 && (!old || PRONOUN.test(wording.text))) {
      const value = fieldFor(slot, { fields: data.fields, label: '' });
      if (value !== undefined) return { kind: 'value', value };
    }
  }
  // What the last answer named with a key of its own.
  const told = namedInProse(scene.turn.before?.reply ?? '').filter(
    (item) => fieldFor(slot, item) !== undefined,
  );
  if (told.length > 0 && (PRONOUN.test(wording.text) || bestMatches(said, told, own).length > 0)) {
    const reference = refer(
      said,
      { isError: false, items: told, fields: new Map(), text: '' },
      own,
    );
    if (reference.kind === 'several') return { kind: 'several', items: reference.items };
    const value = reference.kind === 'one' ? fieldFor(slot, reference.item) : undefined;
    if (value !== undefined) return { kind: 'value', value };
  }
  return { kind: 'none' };
}

/** The thing the user picked out of a list they were asked about. */
function fromAnswer(
  scene: Scene,
  known: Known,
  slot: Slot,
  own: ReadonlySet<string>,
): JsonValue | undefined {
  for (const { answer, tool } of scene.turn.answers) {
    if (typeof answer !== 'string' || (tool !== undefined && tool !== known.tool.name)) continue;
    for (const call of [...scene.turn.calls, ...scene.turn.earlier].toReversed()) {
      const items = call.result?.items.filter((i) => fieldFor(slot, i) !== undefined) ?? [];
      const exact = items.find((i) => i.label.toLowerCase() === answer.trim().toLowerCase());
      const best = exact ? [exact] : bestMatches(answer, items, own);
      const [only] = best;
      if (best.length === 1 && only) return fieldFor(slot, only);
    }
  }
  return undefined;
}

const ownStems = (known: Known): Set<string> =>
  new Set([...known.nameStems, ...known.slots.flatMap((s) => s.stems)]);

/** A call of a tool that lists or finds the things one of which the words mean; once for each tool. */
export function lookUp(
  scene: Scene,
  known: Known,
  slot: Slot,
  phrase: string,
  before: Intent | undefined,
): Reply | undefined {
  const said = phrase.replace(POSITION, ' ').trim();
  const wanted = said !== '' ? said : (before?.filled?.about ?? '');
  // Where a thing is put tells nothing of where it is found.
  const puts = known.actions.has('add') || known.actions.has('save');
  const nouns = new Set([
    ...slot.stems.filter((s) => s.length > 2),
    ...(puts ? [] : known.nameStems.slice(1)),
  ]);
  // What is taken out of a place is looked up in that place, not in the catalogue.
  const places =
    !puts && REARRANGES.some((a) => known.actions.has(a))
      ? known.nameStems.slice(1).filter((s) => !slot.stems.includes(s) && !isStopWord(s))
      : [];
  const candidates = scene.tools
    .filter((k) => k !== known && k.reads && !scene.turn.calls.some((c) => c.name === k.tool.name))
    .map((k) => ({
      k,
      call: lookUpCall(k, wanted, scene),
      fit: relevance(k, nouns, slot) + 3 * k.nameStems.filter((s) => places.includes(s)).length,
    }))
    .filter((c) => c.call !== undefined && c.fit > 0)
    .sort((a, b) => b.fit - a.fit);
  const call = candidates[0]?.call;
  if (!call || repeats(scene.turn.calls, call)) return undefined;
  return call;
}

function relevance(k: Known, nouns: ReadonlySet<string>, slot: Slot): number {
  const inName = k.nameStems.filter((s) => nouns.has(s)).length;
  const about = [...nouns].filter((n) => k.aboutStems.has(n)).length;
  const told = slot.about.includes(k.tool.name.toLowerCase()) ? 6 : 0;
  const lists =
    k.actions.has('find') || k.nameStems[0] === 'list' || k.nameStems[0] === 'get' ? 1 : 0;
  const listy = /\b(?:list|lists|find|finds|search|searches|all|upcoming|your|my)\b/i.test(
    k.tool.description,
  )
    ? 0.5
    : 0;
  const base = 2 * inName + about + told;
  return base === 0
    ? 0
    : base + lists + listy - 0.5 * k.slots.filter((s) => s.required && s.kind !== 'text').length;
}

/** The look-up with the words as its query; `undefined` where it needs more than those. */
function lookUpCall(
  k: Known,
  wanted: string,
  scene: Scene,
): Extract<Reply, { type: 'tool_call' }> | undefined {
  if (k.slots.some((s) => s.required && s.kind === 'ref')) return undefined;
  const filled = fill(k, wanted === '' ? '' : `find ${wanted}`, scene.clock);
  if (filled.missing.length > 0) return undefined;
  return { type: 'tool_call', name: k.tool.name, arguments: argumentsOf(filled.values) };
}

const repeats = (
  calls: readonly DoneCall[],
  call: Extract<Reply, { type: 'tool_call' }>,
): boolean => calls.some((c) => c.name === call.name && sameArguments(c.arguments, call.arguments));

const DESTROYS: ReadonlySet<Action> = new Set(['cancel', 'remove']);
const REARRANGES: readonly Action[] = ['remove', 'cancel', 'update', 'move'];

/**
 * The request needs a tool that is not here, and the page can open things: what it needs may be on
 * the page of the thing meant ("add two trail caps" from a list of products).
 */
export function openFor(
  scene: Scene,
  intent: Intent,
  before: Intent | undefined,
): Reply | undefined {
  const asked = askedActions(intent.text);
  if (asked.size === 0 || [...asked].some((a) => DESTROYS.has(a))) return undefined;
  const opener = scene.tools.find(
    (k) =>
      k.actions.has('open') &&
      !k.actions.has('create') &&
      k.slots.some((s) => s.required && s.kind === 'ref'),
  );
  if (!opener || scene.turn.calls.some((c) => c.name === opener.tool.name)) return undefined;
  const slot = opener.slots.find((s) => s.kind === 'ref');
  if (!slot) return undefined;
  const filled = fill(opener, intent.text, scene.clock);
  const values = new Map(filled.values);
  const phrase = before?.filled?.about ?? filled.phrase;
  const resolved = resolveReferences(scene, opener, values, {
    text: phrase || intent.text,
    phrase,
    before,
  });
  if (resolved.kind === 'several') return undefined;
  if (!values.has(slot))
    return scene.turn.calls.length === 0 ? lookUp(scene, opener, slot, phrase, before) : undefined;
  if (opener.slots.some((s) => s.required && !values.has(s))) return undefined;
  return { type: 'tool_call', name: opener.tool.name, arguments: argumentsOf(values) };
}
