import { isSpace, opensString } from './value-scan';

/**
 * Watches text that no marker announced but that may be a call: JSON, a Python call list, or, where
 * the offered names are known, `name(…)` and `name[…]`. Says as early as it can that it is not.
 */
export interface Candidate {
  /** `fail`: not a call. `stop`: a whole value, and then something else. */
  feed(c: string): 'more' | 'fail' | 'stop';
  /** How many characters, from the first, make up whole values. */
  whole(): number;
  /** No value is open. */
  idle(): boolean;
}

/** First keys of an object that can be a call or a message. */
const KEYS = [
  'name',
  'arguments',
  'parameters',
  'type',
  'function',
  'tool_calls',
  'id',
  'call_id',
  'index',
  'text',
  'content',
  'role',
  'tool',
  'tool_name',
  'function_name',
  'function_call',
  'tool_call',
  'action',
  'action_input',
  'thought',
  'reasoning',
];
/** This much of a value is looked at to see whether it can be a call. */
const HEAD = 128;

export function createCandidate(names: readonly string[] | undefined): Candidate {
  let phase: 'before' | 'name' | 'value' | 'slots' | 'after' = 'before';
  let head = '';
  let quote = '';
  let escaped = false;
  let before = '';
  let depth = 0;
  let length = 0;
  let whole = 0;

  function begin(c: string): 'more' | 'fail' | 'stop' {
    if (isSpace(c) || (phase === 'after' && (c === ',' || c === ';'))) return 'more';
    const first = phase === 'before';
    head = c;
    before = c;
    quote = '';
    depth = 1;
    if (c === '{' || c === '[') phase = 'value';
    else if (names && startsName(names, c)) phase = 'name';
    else return first ? 'fail' : 'stop';
    return 'more';
  }

  function inName(c: string): 'more' | 'fail' {
    if ((c === '(' || c === '[') && names && isName(names, head)) {
      phase = c === '(' ? 'value' : 'slots';
      head = '';
      before = c;
      return 'more';
    }
    head += c;
    return names && startsName(names, head) ? 'more' : 'fail';
  }

  function inSlots(c: string): 'more' {
    if (escaped) escaped = false;
    else if (c === '\\') escaped = true;
    else if (c === ']') close();
    return 'more';
  }

  function close(): void {
    phase = 'after';
    whole = length;
  }

  function inValue(c: string): 'more' | 'fail' {
    if (head !== '' && head.length < HEAD) {
      head += c;
      const possible = canBeCall(head, names);
      if (possible === false) return 'fail';
      if (possible) head = '';
    }
    if (quote !== '') {
      if (escaped) escaped = false;
      else if (c === '\\') escaped = true;
      else if (c === quote) quote = '';
      return 'more';
    }
    if (isSpace(c)) return 'more';
    // Markup outside a string is no JSON: a marked call may begin here.
    if (c === '<') return 'fail';
    if (opensString(c, before)) quote = c;
    else if ('{[('.includes(c)) depth++;
    else if ('}])'.includes(c) && --depth === 0) close();
    before = c;
    return 'more';
  }

  return {
    feed(c) {
      length++;
      if (phase === 'value') return inValue(c);
      if (phase === 'name') return inName(c);
      if (phase === 'slots') return inSlots(c);
      return begin(c);
    },
    whole: () => whole,
    idle: () => phase === 'before' || phase === 'after',
  };
}

/** Whether text that begins so can go on to be a call; `undefined` while that is open. */
function canBeCall(head: string, names: readonly string[] | undefined): boolean | undefined {
  const object = /^[[\s]{0,16}\{\s*(.*)$/s.exec(head);
  if (object) {
    const key = /^(["']?)([\w$]*)(.?)/s.exec(object[1] ?? '');
    const word = key?.[2] ?? '';
    if (key?.[3] !== '') return KEYS.includes(word);
    return KEYS.some((k) => k.startsWith(word)) ? undefined : false;
  }
  const list = /^\[[[\s]*(.*)$/s.exec(head);
  if (!list) return false;
  const call = /^(\w[\w.-]*)(.?)/s.exec(list[1] ?? '');
  if (!call) return list[1] === '' ? undefined : false;
  const word = call[1] ?? '';
  if (call[2] === '(') return names === undefined || isName(names, word);
  return call[2] === '' && (names === undefined || startsName(names, word)) ? undefined : false;
}

/** `names` are sorted: the first not before `prefix` tells. */
export function startsName(names: readonly string[], prefix: string): boolean {
  return names[lowerBound(names, prefix)]?.startsWith(prefix) === true;
}
const isName = (names: readonly string[], name: string): boolean =>
  names[lowerBound(names, name)] === name;

function lowerBound(names: readonly string[], text: string): number {
  let from = 0;
  let to = names.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((names[middle] ?? '') < text) from = middle + 1;
    else to = middle;
  }
  return from;
}
