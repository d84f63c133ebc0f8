import type { CompactTool } from '../../tools/tool';
import { type Action, actionsOf, isReading } from './meanings';
import { type Slot, slotsOf } from './slots';
import { ASK_USER, TOOL_SEARCH } from './turn';
import { identifierWords, isStopWord, stem, wordsOf } from './words';

/** A tool with what choosing and filling need of it, worked out once per reply. */
export interface Known {
  tool: CompactTool;
  slots: Slot[];
  nameStems: string[];
  aboutStems: Set<string>;
  slotStems: Set<string>;
  choiceStems: Set<string>;
  /** What it does, by its name, else by the first word of its description. */
  actions: Set<Action>;
  reads: boolean;
}

export const knownOf = (tools: readonly CompactTool[]): Known[] =>
  tools.filter((t) => t.name !== ASK_USER && t.name !== TOOL_SEARCH).map(know);

const SHOWS: ReadonlySet<Action> = new Set(['show']);
/** Last words of names that tell a state of something: "order_status" orders nothing. */
const STATES =
  /^(?:detail|statu|info|informat|histor|result|summar|overview|hour|review|availabilit|list|balanc)/;

function know(tool: CompactTool): Known {
  const slots = slotsOf(tool);
  const nameStems = identifierWords(tool.name).map(stem);
  const about = wordsOf(tool.description);
  const [first = '', second = ''] = identifierWords(tool.name);
  // "check_in" is no checking: two words may be one verb.
  const joined = actionsOf(stem(first + second));
  const states = STATES.test(nameStems.at(-1) ?? '');
  const named = states ? SHOWS : joined.size > 0 ? joined : actionsOf(stem(first));
  const told = actionsOf(about[0]?.stem ?? '');
  const deeds = named.size > 0 ? named : told;
  const actions = new Set<Action>(
    named.size > 0 ? named : nameStems.flatMap((s) => [...actionsOf(s)]),
  );
  for (const a of told) if (actions.size === 0 || !isReading(a)) actions.add(a);
  const choices = slots.flatMap((s) => s.choices.flatMap((c) => identifierWords(String(c))));
  return {
    tool,
    slots,
    nameStems,
    aboutStems: new Set(about.filter((w) => !isStopWord(w.text)).map((w) => w.stem)),
    slotStems: new Set(slots.flatMap((s) => [...s.stems, ...s.aboutStems])),
    choiceStems: new Set(choices.map(stem)),
    actions,
    reads: deeds.size === 0 ? slots.every((s) => !s.required) : [...deeds].some(isReading),
  };
}
