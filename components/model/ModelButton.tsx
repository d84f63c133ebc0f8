import type { RefObject } from 'preact';
import type { EngineDescription } from '../../lib/agent/engine';
import type { HostStatus } from '../../lib/messages/host-api';
import type { Settings } from '../../lib/settings/settings';
import { Icon } from '../Icon';
import { formatShare, t } from '../text';
import { ENGINE_NAMES } from './engine-names';

interface ModelButtonProps {
  settings: Settings;
  engines: readonly EngineDescription[] | null;
  status: HostStatus['engine'] | null;
  open: boolean;
  onClick: () => void;
  buttonRef: RefObject<HTMLButtonElement | null>;
}

/** Which engine and model answers next, and how it is; opens the list. */
export function ModelButton(props: ModelButtonProps) {
  const { settings, engines, status, open, onClick, buttonRef } = props;
  const model = settings.models[settings.engine];
  const label = engines
    ?.find((engine) => engine.id === settings.engine)
    ?.models.find((choice) => choice.id === model)?.label;
  const name = label ?? model ?? t(ENGINE_NAMES[settings.engine]);
  const state = status?.id === settings.engine ? status.state : 'unloaded';
  return (
    <button
      type="button"
      class="model-button"
      data-testid="model"
      data-state={state}
      ref={buttonRef}
      aria-expanded={open}
      aria-controls={open ? 'models' : undefined}
      onClick={onClick}
    >
      <Icon name={state === 'loading' ? 'running' : state === 'failed' ? 'warning' : 'model'} />
      <span class="hidden">{t('modelControl')}</span>
      <span class="model-button-name">{name}</span>
      {state === 'loading' && <span class="model-button-state">{loadShare(status)}</span>}
      {state === 'failed' && <span class="model-button-state">{t('stateFailed')}</span>}
    </button>
  );
}

function loadShare(status: HostStatus['engine'] | null): string {
  const progress = status?.progress;
  if (progress?.phase !== 'download' || progress.total === 0) return t('loadPreparing');
  return formatShare(progress.done / progress.total);
}
