import { useRef, useState } from 'preact/hooks';
import { formatBytes, t } from '../text';
import type { OptionsIntents, OptionsState } from './state';

interface AddModelProps {
  adding: OptionsState['adding'];
  intents: Pick<OptionsIntents, 'addFiles' | 'addAddress' | 'stopAdding'>;
}

/** Any GGUF model for llama.cpp: a file of this machine, or an address to download from. */
export function AddModel({ adding, intents }: AddModelProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [address, setAddress] = useState('');
  const [wrong, setWrong] = useState(false);
  const load = () => {
    const url = address.trim();
    const ok = /^https?:\/\/.+\.gguf(?:\?.*)?$/i.test(url) && URL.canParse(url);
    setWrong(!ok);
    if (!ok) return;
    intents.addAddress(url);
    setAddress('');
  };
  return (
    <div class="field">
      <label for="gguf-address">{t('addModel')}</label>
      <input
        id="gguf-address"
        type="url"
        value={address}
        placeholder="https://huggingface.co/…/model.gguf"
        aria-invalid={wrong}
        aria-describedby="gguf-help"
        onInput={(event) => setAddress(event.currentTarget.value)}
      />
      <p class={wrong ? 'problem' : 'help'} id="gguf-help">
        {wrong ? t('addModelWrong') : t('addModelHelp')}
      </p>
      <div class="row">
        <button type="button" disabled={address.trim() === ''} onClick={load}>
          {t('addModelDownload')}
        </button>
        <button type="button" disabled={adding != null} onClick={() => picker.current?.click()}>
          {t('addModelFile')}
        </button>
        <input
          ref={picker}
          type="file"
          accept=".gguf"
          multiple
          hidden
          aria-label={t('addModelFile')}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = '';
            if (files.length > 0) intents.addFiles(files);
          }}
        />
      </div>
      {adding && (
        <div class="row" role="status">
          <progress aria-label={t('addModelCopying')} max={adding.total} value={adding.done} />
          <span class="small-print">
            {t('addModelCopied', formatBytes(adding.done), formatBytes(adding.total))}
          </span>
          <button type="button" onClick={intents.stopAdding}>
            {t('cancel')}
          </button>
        </div>
      )}
    </div>
  );
}
