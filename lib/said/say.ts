import { type Listed, type Said, type SaidValue, textOf, type Words } from './said';
import { WORDS } from './words';

export type SaidCode = keyof typeof WORDS;

/** English of a sentence; a counted one has a form for one and a form for other counts. */
export type Template = string | { one: string; other: string };

type Marks<T> = T extends `${string}$4${string}`
  ? 4
  : T extends `${string}$3${string}`
    ? 3
    : T extends `${string}$2${string}`
      ? 2
      : T extends `${string}$1${string}`
        ? 1
        : 0;
type Tuples = {
  0: [];
  1: [SaidValue];
  2: [SaidValue, SaidValue];
  3: [SaidValue, SaidValue, SaidValue];
  4: [SaidValue, SaidValue, SaidValue, SaidValue];
};
type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : [];
type ValuesOf<C extends SaidCode> = (typeof WORDS)[C] extends { other: infer O }
  ? [count: number, ...Tail<Tuples[Marks<O>]>]
  : Tuples[Marks<(typeof WORDS)[C]>];

/** The sentence of a code in English, with what it takes to say it in another language. */
export function say<C extends SaidCode>(code: C, ...values: ValuesOf<C>): Words & { said: Said } {
  const said = { code, values: [...values] };
  return { text: fill(templateFor(WORDS[code], said.values), said.values), said };
}

function templateFor(template: Template, [count]: readonly SaidValue[]): string {
  if (typeof template === 'string') return template;
  return count === 1 ? template.one : template.other;
}

function fill(template: string, values: readonly SaidValue[]): string {
  return template.replace(/\$([1-9])/g, (_, mark: string) => {
    const value = values[Number(mark) - 1];
    return value === undefined ? '' : inEnglish(value);
  });
}

const JOINTS = { and: ' and ', or: ' or ', commas: ', ', text: ' ' };

function inEnglish(value: SaidValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return value.toLocaleString('en');
  if ('bytes' in value) return readableBytes(value.bytes);
  return value.list.map(textOf).join(JOINTS[value.as]);
}

/** Bytes for people: `734 MB`, `1.2 GB` (powers of ten, as stores and file managers count). */
export function readableBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Words for the model or the log, and the sentence that tells the user the same. */
export const about = (text: string, { said }: Words): Words => ({ text, said });

/** Several sentences as one value. */
export const sentences = (list: readonly Listed[]): SaidValue => ({ list: [...list], as: 'text' });
/** Several sentences as one. */
export function inOne(list: readonly Words[]): Words {
  const [only] = list;
  if (only && list.length === 1) return only;
  const text = list.map((words) => words.text).join(' ');
  return about(text, say('several', sentences(list)));
}

/** Names as one value. */
export const names = (list: readonly Listed[], as: 'and' | 'or' | 'commas' = 'commas') => ({
  list: [...list],
  as,
});
