import { useId, useState } from 'preact/hooks';
import type { LoadProgress } from '../../lib/agent/engine';
import { Icon } from '../Icon';
import { OpenFile } from '../OpenFile';
import { formatBytes, t } from '../text';
import type { ModelIntents } from './intents';

interface AddModelProps {
  /** Copying of picked files, while it goes on. */
  importing: LoadProgress | null;
  intents: Pick<ModelIntents, 'addFiles' | 'choose' | 'cancel'>;
}

/** Any GGUF model for llama.cpp: a file of this machine, or an address to download from. */
export function AddModel({ importing, intents }: AddModelProps) {
  const [address, setAddress] = useState('');
  const [wrong, setWrong] = useState(false);
  const id = useId();
  const load = () => {
    const url = address.trim();
    const ok = /^https?:\/\/.+\.gguf(?:\?.*)?$/i.test(url) && URL.canParse(url);
    setWrong(!ok);
    if (!ok) return;
    intents.choose('wllama', url);
    setAddress('');
  };
  return (
    <div class="field">
      <label for={id}>{t('addModel')}</label>
      <input
        id={id}
        type="url"
        value={address}
        placeholder="https://huggingface.co/…/model.gguf"
        aria-invalid={wrong}
        aria-describedby={`${id}-help`}
        onInput={(event) => setAddress(event.currentTarget.value)}
      />
      <p class={wrong ? 'problem' : 'help'} id={`${id}-help`}>
        {wrong ? t('addModelWrong') : t('addModelHelp')}
      </p>
      <div class="buttons">
        <button type="button" class="small" disabled={address.trim() === ''} onClick={load}>
          <Icon name="download" />
          {t('addModelDownload')}
        </button>
        <OpenFile
          label={t('addModelFile')}
          class="small"
          disabled={importing !== null}
          accept=".gguf"
          multiple
          onFiles={intents.addFiles}
        />
      </div>
      {importing && (
        <div class="buttons" role="status">
          <progress
            aria-label={t('addModelCopying')}
            max={importing.total}
            value={importing.done}
          />
          <span class="small-print">
            {t('addModelCopied', formatBytes(importing.done), formatBytes(importing.total))}
          </span>
          <button type="button" class="small" onClick={intents.cancel}>
            {t('cancel')}
          </button>
        </div>
      )}
    </div>
  );
}
