import { useState } from 'preact/hooks';
import { Select } from '../controls';
import { plural, t } from '../text';
import type { OptionsIntents, OptionsState } from './state';

const KEEP_DAYS = [0, 1, 7, 30, 90, 365];

/** What is kept and for how long, and a way to be rid of it all. */
export function Privacy({ state, intents }: { state: OptionsState; intents: OptionsIntents }) {
  const { settings } = state;
  const [clearing, setClearing] = useState(false);
  const days = [...new Set([...KEEP_DAYS, settings.keepHistoryDays])].sort((a, b) => a - b);
  return (
    <section class="card" aria-labelledby="options-privacy">
      <h2 id="options-privacy">{t('optionsPrivacy')}</h2>
      <p>{t('privacyText')}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.capture}
          onChange={(event) => intents.change({ capture: event.currentTarget.checked })}
        />
        <span>
          {t('capture')}
          <span class="help">{t('captureHelp')}</span>
        </span>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.shim}
          onChange={(event) => intents.change({ shim: event.currentTarget.checked })}
        />
        <span>
          {t('shim')}
          <span class="help">{t('shimHelp')}</span>
        </span>
      </label>
      <Select
        label={t('keepHistory')}
        value={String(settings.keepHistoryDays)}
        choices={days.map((count) => ({
          value: String(count),
          label: count === 0 ? t('forever') : plural('days', count),
        }))}
        onChange={(value) => intents.change({ keepHistoryDays: Number(value) })}
      />
      {clearing ? (
        <div class="buttons">
          <span>{t('clearAllSure')}</span>
          <button type="button" ref={focusFirst} onClick={() => setClearing(false)}>
            {t('cancel')}
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              setClearing(false);
              intents.clearAll();
            }}
          >
            {t('clearAll')}
          </button>
        </div>
      ) : (
        <div class="buttons">
          <button type="button" class="danger" onClick={() => setClearing(true)}>
            {t('clearAll')}
          </button>
        </div>
      )}
    </section>
  );
}

/** The safe answer has the focus. */
function focusFirst(button: HTMLButtonElement | null): void {
  button?.focus();
}
