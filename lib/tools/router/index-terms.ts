/**
 * An inverted index over short records of several text fields that change often: postings per term,
 * kept up to date on every add and remove, never rebuilt. Texts reach it as lists of terms, so it
 * knows nothing of languages. Records are numbered slots; a freed slot is used again.
 *
 * One posting is one number: record, field and how often, packed so that it stays a small integer
 * (31 bits) in every engine and a list of them costs 4 bytes a posting in Chrome.
 */

const FIELD_BITS = 3;
const COUNT_BITS = 5;
const MAX_COUNT = 2 ** COUNT_BITS - 1;
/** Most records of one index. */
export const MAX_SLOTS = 2 ** (30 - FIELD_BITS - COUNT_BITS);
/** Most fields of one record. */
export const MAX_FIELDS = 2 ** FIELD_BITS;

const FIELD_MASK = MAX_FIELDS - 1;
const SLOT_SHIFT = FIELD_BITS + COUNT_BITS;

export const slotOf = (posting: number): number => posting >> SLOT_SHIFT;
export const fieldOf = (posting: number): number => (posting >> COUNT_BITS) & FIELD_MASK;
/** How often the term stands in the field, at most 31. */
export const countOf = (posting: number): number => posting & MAX_COUNT;

/** One distinct term of a record and the fields it stands in, packed like a posting. */
export const termOf = (entry: number): number => entry >>> MAX_FIELDS;
export const standsIn = (entry: number, field: number): boolean => (entry & (1 << field)) !== 0;
/** Most distinct terms of one index, so that an entry fits 32 bits. */
export const MAX_TERMS = 2 ** (32 - MAX_FIELDS);

export interface TermIndex {
  readonly fieldCount: number;
  /** Records held. */
  readonly size: number;
  /** One more than the highest slot in use. */
  readonly slotLimit: number;
  /** Grows with every change; whoever caches what depends on the index compares it. */
  readonly version: number;
  /** Terms by term number; some may have no posting left. A new list once they are renumbered. */
  readonly terms: readonly string[];
  /** Number of a term, `-1` for one never seen. */
  find(term: string): number;
  /** Postings of a term, ascending by record, then field. */
  postings(term: number): readonly number[];
  /** How many records hold the term. */
  documentFrequency(term: number): number;
  /** How many terms a record has in a field, repeats counted. */
  fieldLength(slot: number, field: number): number;
  /** Mean of {@link fieldLength} over the records in which the field is not empty; 0 for none. */
  averageLength(field: number): number;
  /** Terms in a field over all records, repeats counted. */
  totalLength(field: number): number;
  /** How many terms some record holds. */
  readonly termCount: number;
  /** The postings of a term in one record. */
  postingsOf(term: number, slot: number): readonly number[];
  /** The distinct terms of a record as entries: see {@link termOf} and {@link standsIn}. */
  entriesOf(slot: number): Uint32Array;
  /** Stores a record, `fields[f]` being the terms of field f; returns its slot. */
  add(fields: readonly (readonly string[])[]): number;
  remove(slot: number): void;
  clear(): void;
}

/** Unused terms that are no bother. */
const MIN_UNUSED_TERMS = 1024;
const NOTHING = new Uint32Array(0);

export function createTermIndex(fieldCount: number): TermIndex {
  if (fieldCount > MAX_FIELDS) throw new RangeError(`An index has at most ${MAX_FIELDS} fields`);
  let numbers = new Map<string, number>();
  let terms: string[] = [];
  let postings: number[][] = [];
  let frequencies: number[] = [];
  let records: (Uint32Array | undefined)[] = [];
  let freeSlots: number[] = [];
  let lengths = new Uint16Array(fieldCount * 64);
  let lengthSums = new Float64Array(fieldCount);
  let filledFields = new Float64Array(fieldCount);
  /** How often each term stands in the field, and in which fields of the record, being added; else 0. */
  let counted = new Uint8Array(1024);
  let standing = new Uint8Array(1024);
  let termsInUse = 0;
  let version = 0;
  let size = 0;

  function numberOf(term: string): number {
    const known = numbers.get(term);
    if (known !== undefined) return known;
    const number = terms.length;
    if (number >= MAX_TERMS) throw new RangeError(`An index holds at most ${MAX_TERMS} terms`);
    numbers.set(term, number);
    terms.push(term);
    postings.push([]);
    frequencies.push(0);
    if (number >= counted.length) {
      counted = grown(counted);
      standing = grown(standing);
    }
    return number;
  }

  function setLength(slot: number, field: number, length: number): void {
    const at = slot * fieldCount + field;
    if (at >= lengths.length) {
      const grown = new Uint16Array(Math.max(lengths.length * 2, at + 1));
      grown.set(lengths);
      lengths = grown;
    }
    const before = lengths[at] ?? 0;
    const after = Math.min(length, 0xffff);
    lengths[at] = after;
    lengthSums[field] = (lengthSums[field] ?? 0) + after - before;
    filledFields[field] = (filledFields[field] ?? 0) + Number(after > 0) - Number(before > 0);
  }

  function add(fields: readonly (readonly string[])[]): number {
    const slot = freeSlots.pop() ?? records.length;
    if (slot >= MAX_SLOTS) throw new RangeError(`An index holds at most ${MAX_SLOTS} records`);
    const own: number[] = [];
    for (let field = 0; field < fieldCount; field++) {
      const list = fields[field] ?? [];
      setLength(slot, field, list.length);
      const inField: number[] = [];
      for (const text of list) {
        const term = numberOf(text);
        const count = counted[term] ?? 0;
        if (count === 0) inField.push(term);
        if (count < MAX_COUNT) counted[term] = count + 1;
      }
      for (const term of inField) {
        const count = counted[term] ?? 0;
        counted[term] = 0;
        insertSorted(postings[term], (slot << SLOT_SHIFT) | (field << COUNT_BITS) | count);
        const before = standing[term] ?? 0;
        if (before === 0) own.push(term);
        standing[term] = before | (1 << field);
      }
    }
    const entries = new Uint32Array(own.length);
    for (const [at, term] of own.entries()) {
      entries[at] = term * 2 ** MAX_FIELDS + (standing[term] ?? 0);
      standing[term] = 0;
      const frequency = (frequencies[term] ?? 0) + 1;
      frequencies[term] = frequency;
      if (frequency === 1) termsInUse++;
    }
    records[slot] = entries;
    size++;
    version++;
    return slot;
  }

  function remove(slot: number): void {
    const own = records[slot];
    if (own === undefined) return;
    for (const entry of own) {
      const term = termOf(entry);
      removeRange(postings[term], slot << SLOT_SHIFT, (slot + 1) << SLOT_SHIFT);
      const frequency = (frequencies[term] ?? 1) - 1;
      frequencies[term] = frequency;
      if (frequency === 0) termsInUse--;
    }
    for (let field = 0; field < fieldCount; field++) setLength(slot, field, 0);
    records[slot] = undefined;
    freeSlots.push(slot);
    size--;
    version++;
    if (size === 0) forget();
    else if (terms.length - termsInUse > Math.max(MIN_UNUSED_TERMS, termsInUse)) renumber();
  }

  /** Drops the terms no record holds any more, or a long-lived index would collect all it ever saw. */
  function renumber(): void {
    const before = terms;
    const oldPostings = postings;
    const oldFrequencies = frequencies;
    const moved = new Uint32Array(before.length);
    numbers = new Map();
    terms = [];
    postings = [];
    frequencies = [];
    for (const [old, term] of before.entries()) {
      const frequency = oldFrequencies[old] ?? 0;
      if (frequency === 0) continue;
      moved[old] = terms.length;
      numbers.set(term, terms.length);
      terms.push(term);
      postings.push(oldPostings[old] ?? []);
      frequencies.push(frequency);
    }
    for (const entries of records) {
      if (entries === undefined) continue;
      for (const [at, entry] of entries.entries()) {
        const fields = entry % 2 ** MAX_FIELDS;
        entries[at] = (moved[termOf(entry)] ?? 0) * 2 ** MAX_FIELDS + fields;
      }
    }
  }

  function forget(): void {
    numbers = new Map();
    terms = [];
    postings = [];
    frequencies = [];
    termsInUse = 0;
    records = [];
    freeSlots = [];
    lengths = new Uint16Array(fieldCount * 64);
    lengthSums = new Float64Array(fieldCount);
    filledFields = new Float64Array(fieldCount);
  }

  return {
    fieldCount,
    get size() {
      return size;
    },
    get slotLimit() {
      return records.length;
    },
    get version() {
      return version;
    },
    get terms() {
      return terms;
    },
    find: (term) => numbers.get(term) ?? -1,
    postings: (term) => postings[term] ?? [],
    documentFrequency: (term) => frequencies[term] ?? 0,
    fieldLength: (slot, field) => lengths[slot * fieldCount + field] ?? 0,
    averageLength: (field) => {
      const filled = filledFields[field] ?? 0;
      return filled === 0 ? 0 : (lengthSums[field] ?? 0) / filled;
    },
    totalLength: (field) => lengthSums[field] ?? 0,
    get termCount() {
      return termsInUse;
    },
    postingsOf(term, slot) {
      const list = postings[term] ?? [];
      const start = lowerBound(list, slot << SLOT_SHIFT);
      return list.slice(start, lowerBound(list, (slot + 1) << SLOT_SHIFT));
    },
    entriesOf: (slot) => records[slot] ?? NOTHING,
    add,
    remove,
    clear() {
      forget();
      size = 0;
      version++;
    },
  };
}

function grown(list: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(list.length * 2);
  larger.set(list);
  return larger;
}

/** Where `value` stands, or would stand, in the ascending `list`. */
function lowerBound(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function insertSorted(list: number[] | undefined, value: number): void {
  if (list === undefined) return;
  const last = list.at(-1);
  if (last === undefined || last < value) list.push(value);
  else list.splice(lowerBound(list, value), 0, value);
}

function removeRange(list: number[] | undefined, from: number, to: number): void {
  if (list === undefined) return;
  const start = lowerBound(list, from);
  list.splice(start, lowerBound(list, to) - start);
}
