import { signal } from '@preact/signals';
import type english from '../public/_locales/en/messages.json';

/** A key of `public/_locales/*\/messages.json`. English is the reference; every locale has every key. */
export type MessageKey = keyof typeof english;
/** The stem of keys that exist once per plural category: `tools_one`, `tools_other`, … */
export type PluralKey = MessageKey extends infer K
  ? K extends `${infer Stem}_other`
    ? Stem
    : never
  : never;

export type Texts = Record<string, { message: string }>;

/** Languages Pagehand speaks, each under its own name, as a language menu shows it. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  ja: '日本語',
  ar: 'العربية',
} as const;
export type Language = keyof typeof LANGUAGES;

const texts = signal<Texts>({});
/** BCP 47 tag of the texts shown; numbers and dates are written the same way. */
export const locale = signal<string>('en');

/** Puts a locale's messages in use. Views re-render by themselves. */
export function setTexts(language: string, messages: Texts): void {
  texts.value = messages;
  locale.value = language;
}

/** The best language Pagehand has for a list of BCP 47 tags, most wanted first. */
export function chooseLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const base = tag.toLowerCase().split(/[-_]/)[0] ?? '';
    if (isLanguage(base)) return base;
  }
  return 'en';
}

function isLanguage(base: string): base is Language {
  return Object.hasOwn(LANGUAGES, base);
}

export function direction(language: string): 'ltr' | 'rtl' {
  return language.startsWith('ar') ? 'rtl' : 'ltr';
}

/**
 * Loads the messages of the best language for `wanted` and sets `lang` and `dir` of the document.
 * The files are those Chrome reads for `__MSG_…__`, fetched from the page's own origin so that the
 * user may choose another language than the browser's, and so that the gallery works as a plain page.
 */
export async function loadTexts(wanted: readonly string[], signal?: AbortSignal): Promise<void> {
  const language = chooseLanguage(wanted);
  const response = await fetch(`/_locales/${language}/messages.json`, { signal });
  setTexts(language, (await response.json()) as Texts);
  document.documentElement.lang = language;
  document.documentElement.dir = direction(language);
}

/** The text of a key in the language in use, with `$1`… replaced. A missing key shows itself. */
export function t(key: MessageKey, ...values: (string | number)[]): string {
  return fill(texts.value[key]?.message ?? key, values);
}

/** The text that fits a count; `$1` is the count, written in the user's way, the rest follow. */
export function plural(stem: PluralKey, count: number, ...values: (string | number)[]): string {
  const all = texts.value;
  const category = new Intl.PluralRules(locale.value).select(count);
  const message = all[`${stem}_${category}`] ?? all[`${stem}_other`];
  return fill(message?.message ?? stem, [formatNumber(count), ...values]);
}

/**
 * The text of a key that may not be there, such as one a newer version wrote into a log; the form
 * that fits `count` where there are several. Values are already written out.
 */
export function textIfAny(
  key: string,
  count: number | undefined,
  values: string[],
): string | undefined {
  const all = texts.value;
  const category = new Intl.PluralRules(locale.value).select(count ?? 0);
  const found = all[key] ?? all[`${key}_${category}`] ?? all[`${key}_other`];
  return found === undefined ? undefined : fill(found.message, values);
}

function fill(message: string, values: (string | number)[]): string {
  return message.replace(/\$(\$|[1-9])/g, (_, mark: string) =>
    mark === '$' ? '$' : String(values[Number(mark) - 1] ?? ''),
  );
}

export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(locale.value, options).format(value);
}

/** Memory, which is sold and told in powers of two though it is called GB. */
export function formatMemory(bytes: number): string {
  return formatNumber(bytes / 2 ** 30, {
    style: 'unit',
    unit: 'gigabyte',
    maximumFractionDigits: 1,
  });
}

/** A language by its name in the language in use; what is no language tag stays as it is. */
export function formatLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames(locale.value, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Bytes in the unit people read, 1 000 to the step, as Chrome's own download list does. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let step = 0;
  while (value >= 1000 && step < BYTE_UNITS.length - 1) {
    value /= 1000;
    step += 1;
  }
  return formatNumber(value, {
    style: 'unit',
    unit: BYTE_UNITS[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step < 2 || value >= 100 ? 0 : 1,
  });
}

/** A length of time from milliseconds to hours, one or two figures deep. */
export function formatDuration(ms: number): string {
  const unit = (value: number, name: string, digits = 0) =>
    formatNumber(value, {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
      maximumFractionDigits: digits,
    });
  if (ms < 1000) return unit(Math.round(ms), 'millisecond');
  if (ms < 60_000) return unit(ms / 1000, 'second', ms < 10_000 ? 1 : 0);
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return unit(minutes, 'minute');
  return `${unit(Math.floor(minutes / 60), 'hour')} ${unit(minutes % 60, 'minute')}`;
}

export function formatTime(at: number): string {
  return new Intl.DateTimeFormat(locale.value, {
    timeStyle: 'medium',
    hourCycle: 'h23',
  }).format(at);
}

export function formatDate(at: number): string {
  return new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'short' }).format(
    at,
  );
}

export function formatShare(share: number): string {
  return formatNumber(share, { style: 'percent', maximumFractionDigits: 0 });
}

/** A list in words: "a, b and c". */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(locale.value, { type: 'conjunction' }).format(items);
}

/** Alternatives in words: "a, b or c". */
export function formatAlternatives(items: readonly string[]): string {
  return new Intl.ListFormat(locale.value, { type: 'disjunction' }).format(items);
}
