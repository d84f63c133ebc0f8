import { Icon } from '../Icon';
import { type MessageKey, t } from '../text';
import type { Suggestion } from './suggestions';

export type EmptyReason =
  | 'restricted'
  | 'no-tools'
  | 'reload'
  | 'no-page'
  | 'no-model'
  | 'ready'
  | 'connecting';

const WORDS: Record<EmptyReason, { title: MessageKey; text: MessageKey }> = {
  restricted: { title: 'emptyRestrictedTitle', text: 'emptyRestricted' },
  'no-tools': { title: 'emptyNoToolsTitle', text: 'emptyNoTools' },
  reload: { title: 'emptyReloadTitle', text: 'emptyReload' },
  'no-page': { title: 'emptyNoPageTitle', text: 'emptyNoPage' },
  'no-model': { title: 'emptyReadyTitle', text: 'emptyNoModel' },
  ready: { title: 'emptyReadyTitle', text: 'emptyReady' },
  connecting: { title: 'emptyConnectingTitle', text: 'emptyConnecting' },
};

interface EmptyStateProps {
  reason: EmptyReason;
  suggestions: readonly Suggestion[];
  onSuggest: (suggestion: Suggestion) => void;
  onReload: () => void;
  onModels: () => void;
}

/** What an empty chat says: why nothing can be done here, or what can. */
export function EmptyState({
  reason,
  suggestions,
  onSuggest,
  onReload,
  onModels,
}: EmptyStateProps) {
  const { title, text } = WORDS[reason];
  return (
    <section class="empty" data-testid="empty" data-reason={reason}>
      <h2>{t(title)}</h2>
      <p>{t(text)}</p>
      {reason === 'reload' && (
        <button type="button" class="primary" onClick={onReload}>
          {t('remedyReloadPage')}
        </button>
      )}
      {reason === 'no-model' && (
        <button type="button" onClick={onModels}>
          <Icon name="model" />
          {t('chooseModel')}
        </button>
      )}
      {suggestions.length > 0 && (
        <ul class="suggestions" aria-label={t('suggestions')}>
          {suggestions.map((suggestion) => (
            <li key={suggestion.text}>
              <button type="button" dir="auto" onClick={() => onSuggest(suggestion)}>
                {suggestion.complete ? suggestion.text : `${suggestion.text} …`}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
