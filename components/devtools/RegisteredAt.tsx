import type { Registration } from '../../lib/page/inspector/event';
import type { PageTool } from '../../lib/tools/tool';
import { Fold } from '../controls';
import { Icon } from '../Icon';
import { PlaceLink, Places } from '../log/Places';
import { t } from '../text';
import type { DevtoolsIntents } from './panel';

interface RegisteredAtProps {
  tool: PageTool;
  registration: Registration | undefined;
  /** Its document was there before the panel was. */
  late: boolean;
  intents: Pick<DevtoolsIntents, 'openPlace' | 'inspectForm' | 'reloadPage'>;
}

/** The line of code, or the form, that a tool comes from; else why it is not known. */
export function RegisteredAt({ tool, registration, late, intents }: RegisteredAtProps) {
  if (tool.surface === 'form' || registration?.form)
    return (
      <button
        type="button"
        class="link-button"
        data-testid="show-form"
        onClick={() => intents.inspectForm(tool.name, registration?.frameUrl)}
      >
        {t('registeredByForm', tool.name)}
      </button>
    );
  const [place, ...callers] = registration?.places ?? [];
  if (place)
    return (
      <>
        <PlaceLink place={place} onOpen={intents.openPlace} />
        {callers.length > 0 && (
          <Fold summary={t('calledFrom')}>
            <Places places={callers} onOpen={intents.openPlace} />
          </Fold>
        )}
      </>
    );
  return (
    <>
      <span class="quiet">{t(late ? 'registeredBefore' : 'registeredUnknown')}</span>
      {late && (
        <button type="button" class="small" data-testid="reload-page" onClick={intents.reloadPage}>
          <Icon name="retry" />
          {t('reloadToSee')}
        </button>
      )}
    </>
  );
}
