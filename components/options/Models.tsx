import { useState } from 'preact/hooks';
import { Select } from '../controls';
import { ModelPicker } from '../model/ModelPicker';
import { formatBytes, formatMemory, t } from '../text';
import type { MachineFacts, OptionsIntents, OptionsState } from './state';

const UNLOAD_AFTER = [0, 5, 15, 60, 240];

/** Engine and model, what they take of this machine, and what the machine offers. */
export function Models({ state, intents }: { state: OptionsState; intents: OptionsIntents }) {
  const { settings, engines, status, storage, machine } = state;
  return (
    <section class="card" aria-labelledby="options-models">
      <h2 id="options-models">{t('optionsModels')}</h2>
      {storage && (
        <div class="storage">
          <meter
            aria-label={t('storageUsed')}
            min={0}
            max={Math.max(1, storage.quota)}
            value={storage.usage}
          />
          <p class="small-print">
            {t(
              'storageLine',
              formatBytes(storage.usage),
              formatBytes(storage.quota - storage.usage),
            )}
          </p>
          <p class="small-print">{storage.persisted ? t('storageKept') : t('storageMayGo')}</p>
        </div>
      )}
      {machine && <Machine machine={machine} />}
      <ModelPicker
        engines={engines}
        status={status}
        chosen={settings}
        importing={state.importing}
        intents={intents.models}
      />
      <Select
        label={t('unloadAfter')}
        value={String(settings.unloadAfterMinutes)}
        choices={withCurrent(UNLOAD_AFTER, settings.unloadAfterMinutes).map((minutes) => ({
          value: String(minutes),
          label: minutes === 0 ? t('never') : t('minutes', minutes),
        }))}
        onChange={(value) => intents.change({ unloadAfterMinutes: Number(value) })}
      />
      <Select
        label={t('ranking')}
        value={settings.ranking}
        choices={[
          { value: 'router', label: t('rankingRouter') },
          { value: 'seed', label: t('rankingSeed') },
        ]}
        onChange={(ranking) => intents.change({ ranking })}
      />
      <MirrorField
        value={settings.modelBaseUrl ?? ''}
        onChange={(modelBaseUrl) => intents.change({ modelBaseUrl })}
      />
    </section>
  );
}

function withCurrent(choices: readonly number[], current: number): number[] {
  return [...new Set([...choices, current])].sort((a, b) => a - b);
}

function Machine({ machine }: { machine: MachineFacts }) {
  const { gpu } = machine;
  return (
    <dl class="facts" aria-label={t('machine')}>
      <div>
        <dt>{t('machineGpu')}</dt>
        <dd>{gpu ? gpu.name : t('machineNoGpu')}</dd>
      </div>
      {gpu && (
        <div>
          <dt>{t('machineBuffer')}</dt>
          <dd>
            {t(
              'machineBufferLine',
              formatBytes(gpu.maxBufferBytes),
              formatBytes(gpu.maxBindingBytes),
            )}
          </dd>
        </div>
      )}
      {gpu && (
        <div>
          <dt>{t('machineF16')}</dt>
          <dd>{gpu.shaderF16 ? t('yes') : t('no')}</dd>
        </div>
      )}
      {gpu?.software && (
        <div>
          <dt>{t('machineSoftware')}</dt>
          <dd class="doubt">{t('machineSoftwareText')}</dd>
        </div>
      )}
      <div>
        <dt>{t('machineCores')}</dt>
        <dd>{machine.cores}</dd>
      </div>
      {machine.memoryBytes !== undefined && (
        <div>
          <dt>{t('machineMemory')}</dt>
          <dd>{t('machineMemoryLine', formatMemory(machine.memoryBytes))}</dd>
        </div>
      )}
    </dl>
  );
}

interface MirrorFieldProps {
  value: string;
  onChange: (url: string | undefined) => void;
}

/** Where models come from, for companies and machines without internet. */
function MirrorField({ value, onChange }: MirrorFieldProps) {
  const [text, setText] = useState(value);
  const [wrong, setWrong] = useState(false);
  const keep = () => {
    if (text.trim() === value) return;
    if (text.trim() === '') return onChange(undefined);
    const ok = isHttp(text.trim());
    setWrong(!ok);
    if (ok) onChange(text.trim());
  };
  return (
    <div class="field">
      <label for="mirror">{t('mirror')}</label>
      <input
        id="mirror"
        type="url"
        value={text}
        placeholder="https://models.example.com/"
        aria-invalid={wrong}
        aria-describedby="mirror-help"
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={keep}
      />
      <p class={wrong ? 'problem' : 'help'} id="mirror-help">
        {wrong ? t('mirrorWrong') : t('mirrorHelp')}
      </p>
    </div>
  );
}

function isHttp(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}
