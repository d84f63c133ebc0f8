import type { JsonObject, JsonValue } from '../../tools/tool';
import { assignDates } from './assign-dates';
import { assignNumbers, zeroRemoves } from './assign-numbers';
import { assignPhrases } from './assign-phrases';
import { takeBoolean } from './booleans';
import type { Clock } from './dates';
import { takeChoice, takeChoices } from './enums';
import { takeFrame } from './frame';
import type { Known } from './known';
import { takeCodes, takeCued, takePatterns, takeQuoted } from './said';
import { scanOf } from './scan';
import type { Slot } from './slots';

/** The arguments that the words of a request give a tool, and what is left over. */
export interface Filled {
  values: Map<Slot, JsonValue>;
  /** Required arguments that the words do not give. */
  missing: Slot[];
  /** What the words say of the thing meant, for arguments that only the page can name. */
  phrase: string;
  /** All that the words say of it: the phrase, or the texts that were given. */
  about: string;
  /** How much the values speak for this tool: words that only such an argument can take. */
  evidence: number;
  /** Words that are a condition which the tool does not take. */
  left: string[];
}

/** Hands a value to an argument; `evidence` is how much its words speak for the tool, 0 to 1. */
export type Give = (slot: Slot, value: JsonValue, evidence?: number) => void;

/** Reads the arguments of one tool out of the words of one clause. Nothing is made up. */
export function fill(known: Known, text: string, clock: Clock | undefined): Filled {
  const scan = scanOf(text.slice(0, 2000));
  const values = new Map<Slot, JsonValue>();
  let evidence = 0;
  const open = (): Slot[] => known.slots.filter((s) => !values.has(s));
  const give: Give = (slot, value, speaks = 0) => {
    if (values.has(slot)) return;
    values.set(slot, slot.many && !Array.isArray(value) ? [value] : value);
    evidence += speaks;
  };
  takeCued(scan, open(), give);
  takeQuoted(scan, open(), give);
  takePatterns(scan, open(), give);
  takeCodes(scan, open(), give, known);
  for (const slot of open().sort((a, b) => Number(b.required) - Number(a.required))) {
    if (slot.kind === 'enum') {
      const choice = takeChoice(scan, slot);
      if (choice) give(slot, choice.choice, choice.evidence);
    } else if (slot.kind === 'enums') {
      const choices = takeChoices(scan, slot);
      if (choices.length > 0) give(slot, choices, 0.8);
    } else if (slot.kind === 'boolean') {
      const said = takeBoolean(scan, slot);
      if (said !== undefined) give(slot, said, 0.8);
    }
  }
  assignDates(scan, open(), clock, (slot, value) => give(slot, value, 0.4));
  assignNumbers(
    scan,
    open().filter((s) => s.kind === 'number'),
    give,
  );
  const removes = zeroRemoves(known.tool.description, open());
  if (removes && /^(?:remove|delete|clear|drop|discard)\b/i.test(text)) give(removes, 0);
  takeFrame(scan);
  const phrase = assignPhrases(scan, known, open(), give);
  const missing = known.slots.filter((s) => s.required && !values.has(s));
  const texts = [...values].flatMap(([s, v]) =>
    s.kind === 'text' && typeof v === 'string' ? [v] : [],
  );
  return {
    values,
    missing,
    phrase,
    about: phrase !== '' ? phrase : texts.join(' '),
    evidence,
    left: [],
  };
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
