import { headOf } from '../../agent/results';
import type { Item, Scalar } from './results';
import { identifierWords, sayName } from './words';

type Fields = ReadonlyMap<string, Scalar>;

/** Rows of a table; what is left is counted. */
const MAX_ROWS = 8;
const MAX_COLUMNS = 3;
const MAX_CELL = 100;
/** Values beyond this say too little in a column. */
const SHORT = 40;

/** A text up to the end of a sentence within `max` characters, and how much is left. A link stays whole. */
export function shorten(text: string, max: number): string {
  if (text.length <= max || /^\S+:\/\/\S+$/.test(text)) return text;
  const head = headOf(text, max);
  return `${head} … (${text.length - head.length} more characters)`.trimStart();
}

/** The words as a sentence: a capital in front, a full stop behind. A table ends without. */
export function sentence(text: string): string {
  const flat = text.trim();
  if (flat === '' || flat.endsWith('|')) return flat;
  const starts = /^\S+:\/\//.test(flat) ? flat : (flat[0] ?? '').toUpperCase() + flat.slice(1);
  return /[.!?…:]$/.test(starts) ? starts : `${starts}.`;
}

const MONEY = new Set(
  'price cost costs fare amount total subtotal fee fees tax balance discount paid due sum shipping'.split(
    ' ',
  ),
);
const COUNTED = /count|items|results|pages|quantity|qty|number|percent|cents|minor/i;

export const isMoney = (key: string): boolean =>
  !COUNTED.test(key) && identifierWords(key).some((w) => MONEY.has(w));

const CURRENCY = /currency(?:_?(?:code|symbol))?$/i;

function currencyOf(key: string, fields: Fields, outer: Fields): string | undefined {
  const named = identifierWords(key).at(-1)?.toUpperCase() ?? '';
  if (/^(?:EUR|USD|GBP|CHF|JPY|CAD|AUD|SEK|NOK|DKK|PLN|CZK|INR|CNY|BRL)$/.test(named)) return named;
  for (const place of [fields, outer]) {
    for (const [name, value] of place) {
      if (
        CURRENCY.test(name) &&
        typeof value === 'string' &&
        /^(?:[A-Za-z]{3}|\p{Sc})$/u.test(value)
      )
        return value;
    }
  }
  return undefined;
}

/** A value in words: an amount with the currency beside it or around it, a measure with its unit. */
export function tellValue(key: string, fields: Fields, outer: Fields = fields, max = 300): string {
  const value = fields.get(key);
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return shorten(value, max);
  const currency = isMoney(key) ? currencyOf(key, fields, outer) : undefined;
  if (currency !== undefined) return moneyOf(value, currency);
  const unit = unitOf(key, fields);
  return unit === undefined ? String(value) : `${value} ${unit}`;
}

function moneyOf(value: number, currency: string): string {
  if (currency.length < 3)
    return `${currency}${Number.isInteger(value) ? value : value.toFixed(2)}`;
  const digits = Number.isInteger(value) ? { minimumFractionDigits: 0 } : {};
  return new Intl.NumberFormat('en', { style: 'currency', currency, ...digits })
    .format(value)
    .replace(/\s/g, ' ');
}

function unitOf(key: string, fields: Fields): string | undefined {
  const numbers = [...fields].filter(([k, v]) => typeof v === 'number' && !HIDDEN.test(k));
  const shared = numbers.length === 1 ? (fields.get('unit') ?? fields.get('units')) : undefined;
  const unit = fields.get(`${key}_unit`) ?? fields.get(`${key}Unit`) ?? shared;
  return typeof unit === 'string' && unit.length <= 12 && unit !== 'none' ? unit : undefined;
}

const TELLING =
  /price|cost|fare|amount|total|balance|status|state|date|time|rating|stars|distance|duration|depart|arriv|due|unread|from|column|assignee|qty|quantity|stock|author|replies|doctor|city|code|value|temperature/i;
const HIDDEN =
  /(?:^|_)(?:id|slug|sku|uuid|key|url|href|image|units?)$|currency(?:_?(?:code|symbol))?$|Id$|Url$|Unit$/i;

/** Fields for machines: keys, addresses of pictures, the currency that its amount is told with. */
export const isHidden = (key: string): boolean => HIDDEN.test(key);

/** The fields that tell most of these items, at most three, `first` in front where they have it. */
function columnsOf(items: readonly Item[], first: string | undefined): string[] {
  const keys = [...new Set(items.flatMap((i) => [...i.fields.keys()]))].filter((key) => {
    if (isHidden(key) && key !== first) return false;
    const values = items
      .map((i) => i.fields.get(key))
      .filter((v) => v !== undefined && v !== 'none');
    return (
      values.length > 0 &&
      !items.every((i) => String(i.fields.get(key)) === i.label) &&
      values.some((v) => String(v).length <= SHORT)
    );
  });
  const rank = (key: string): number => (key === first ? 0 : TELLING.test(key) ? 1 : 2);
  return keys.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_COLUMNS);
}

/** One thing in words: "Trail Cap (€24, stock 40)". */
export function tellItem(item: Item, outer: Fields, first?: string): string {
  const details = columnsOf([item], first).map((key) => {
    const value = tellValue(key, item.fields, outer, SHORT * 2);
    const plain = isMoney(key) && key === columnsOf([item], first).find(isMoney);
    return plain || /^(?:date|time)$/i.test(key) ? value : `${sayName(key)} ${value}`;
  });
  const label = shorten(item.label, MAX_CELL);
  return details.length > 0 ? `${label} (${details.join(', ')})` : label;
}

const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
const title = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Several things as a small Markdown table, or in a row where they have but a name. `total` counts all. */
export function tellItems(
  items: readonly Item[],
  outer: Fields,
  total: number,
  first?: string,
): string {
  const shown = items.slice(0, MAX_ROWS);
  const left = total - shown.length;
  const more = left > 0 ? `and ${left} more` : '';
  const columns = columnsOf(shown, first);
  if (columns.length === 0) {
    const names = shown.map((i) => shorten(i.label, MAX_CELL));
    return [...names, more].filter((n) => n !== '').join('; ');
  }
  const label = [...(shown[0]?.fields ?? [])].find(([, v]) => String(v) === shown[0]?.label)?.[0];
  const row = (cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  const rows = shown.map((item) =>
    row([
      shorten(item.label, MAX_CELL),
      ...columns.map((key) => {
        const value = item.fields.get(key);
        return value === 'none' ? '' : tellValue(key, item.fields, outer, MAX_CELL);
      }),
    ]),
  );
  const head = row([label ?? 'name', ...columns].map((key) => title(sayName(key))));
  const line = `|${' --- |'.repeat(columns.length + 1)}`;
  const table = [head, line, ...rows].join('\n');
  return more === '' ? table : `${table}\n\n… ${more}.`;
}
