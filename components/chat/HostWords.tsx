import { Fold } from '../controls';
import { locale, t } from '../text';
import { Markdown } from './Markdown';

/**
 * What the host says, which it says in English. English readers get its words, as they tell the most;
 * others get `text`, the words of their language for the same case, and the host's behind a fold.
 */
export function HostWords({ text, words }: { text: string; words: string }) {
  if (words === '') return <p class="end">{text}</p>;
  if (locale.value.startsWith('en')) return <Markdown text={words} />;
  return (
    <>
      <p class="end">{text}</p>
      <Fold class="host-words" summary={<span>{t('hostWords')}</span>}>
        <div lang="en" dir="auto">
          <Markdown text={words} />
        </div>
      </Fold>
    </>
  );
}
