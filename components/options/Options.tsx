import { IconButton } from '../controls';
import { Icon } from '../Icon';
import { t } from '../text';
import { Appearance } from './Appearance';
import { Approvals } from './Approvals';
import { Models } from './Models';
import { Privacy } from './Privacy';
import { Sites } from './Sites';
import type { OptionsIntents, OptionsState } from './state';

/** The options page. Every change is kept at once. */
export function Options({ state, intents }: { state: OptionsState; intents: OptionsIntents }) {
  return (
    <main class="options">
      <h1>{t('optionsTitle')}</h1>
      <p class="hidden" role="status">
        {state.done ?? ''}
      </p>
      {state.problem !== null && (
        <div class="banner" role="alert">
          <Icon name="warning" />
          <span dir="auto">{state.problem}</span>
          <IconButton icon="close" label={t('dismiss')} onClick={intents.dismissProblem} />
        </div>
      )}
      <Models state={state} intents={intents} />
      <Privacy state={state} intents={intents} />
      <Approvals approvals={state.approvals} onRevoke={intents.revoke} />
      <Sites settings={state.settings} intents={intents} />
      <Appearance settings={state.settings} onChange={intents.change} />
    </main>
  );
}
