import type { Words } from '../../lib/said/said';
import { Fold } from '../controls';
import { translated } from '../said';
import { locale, t } from '../text';
import { Markdown } from './Markdown';

/**
 * What the host says, in the reader's language. Where it says more than there is a translation for,
 * `text` tells the case, and the host's English is behind a fold.
 */
export function HostWords({ text, words }: { text: string; words: Words }) {
  if (words.text === '') return <p class="end">{text}</p>;
  if (locale.value.startsWith('en')) return <Markdown text={words.text} />;
  const told = translated(words);
  if (told !== undefined) return <p class="end">{told}</p>;
  return (
    <>
      <p class="end">{text}</p>
      <Fold class="host-words" summary={<span>{t('hostWords')}</span>}>
        <div lang="en" dir="auto">
          <Markdown text={words.text} />
        </div>
      </Fold>
    </>
  );
}
