import { type Listed, type SaidValue, type Words, wordsOf, wordsOfError } from '../lib/said/said';
import {
  direction,
  formatAlternatives,
  formatBytes,
  formatList,
  formatNumber,
  locale,
  textIfAny,
} from './text';

/** Keys of `_locales` are letters, digits and `_`. */
const keyOf = (code: string) => `said_${code.replaceAll('-', '_')}`;

/** The host's words in the reader's language; `undefined` where only English has them. */
export function translated({ said }: Words): string | undefined {
  if (!said) return undefined;
  const [count] = said.values;
  const text = textIfAny(
    keyOf(said.code),
    typeof count === 'number' ? count : undefined,
    said.values.map(written),
  );
  // The Japanese full stop brings its own room.
  return text?.replace(/。 +/g, '。').trim();
}

/** The host's words in the reader's language, else as they are. */
export function tell(listed: Listed): string {
  const words = wordsOf(listed);
  return translated(words) ?? words.text;
}

/** What went wrong, in the reader's language where the words are Pagehand's own. */
export const tellError = (error: unknown): string => tell(wordsOfError(error));

/** The host's words as text of the page. Words nobody translated may run the other way. */
export function Told({ words }: { words: Listed }) {
  const text = translated(wordsOf(words));
  if (text !== undefined) return <span>{text}</span>;
  return <span dir="auto">{wordsOf(words).text}</span>;
}

function written(value: SaidValue): string {
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') return isolated(value);
  if ('bytes' in value) return formatBytes(value.bytes);
  const parts = value.list.map((part) =>
    typeof part === 'string' ? isolated(part) : (translated(part) ?? isolated(part.text)),
  );
  switch (value.as) {
    case 'and':
    case 'commas':
      return formatList(parts);
    case 'or':
      return formatAlternatives(parts);
    case 'text':
      return parts.join(' ');
  }
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name that runs the other way than the sentence it stands in must not pull its neighbours along. */
function isolated(value: string): string {
  const runs = RIGHT_TO_LEFT.test(value) ? 'rtl' : 'ltr';
  return runs === direction(locale.value) ? value : `\u2068${value}\u2069`;
}
