import { Icon } from '../Icon';
import { type MessageKey, t } from '../text';
import type { Elsewhere as ElsewhereState } from './state';

/** By what it is: the words with the tab's title, and those for a conversation without one. */
const WORDS: Record<ElsewhereState['what'], { tab: MessageKey; other: MessageKey }> = {
  approval: { tab: 'waitsDecision', other: 'waitsDecisionOther' },
  question: { tab: 'waitsAnswer', other: 'waitsAnswerOther' },
  working: { tab: 'busyElsewhere', other: 'busyOther' },
};

/** A page's title may run in another direction than the sentence around it. */
const isolated = (title: string) => `\u2068${title}\u2069`;

interface ElsewhereProps {
  elsewhere: ElsewhereState;
  onGo: () => void;
}

/** A turn that waits for the user where they are not, with the way there. */
export function Elsewhere({ elsewhere: { what, title }, onGo }: ElsewhereProps) {
  return (
    <div class="banner note" role="status" data-testid="elsewhere" data-what={what}>
      <Icon name={what === 'working' ? 'page' : 'warning'} />
      <span>{title ? t(WORDS[what].tab, isolated(title)) : t(WORDS[what].other)}</span>
      <button type="button" class="small" data-testid="go-there" onClick={onGo}>
        {t('goThere')}
      </button>
    </div>
  );
}
