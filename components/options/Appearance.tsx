import type { Settings } from '../../lib/settings/settings';
import { Select } from '../controls';
import { LANGUAGES, t } from '../text';

interface AppearanceProps {
  settings: Settings;
  onChange: (patch: Partial<Settings>) => void;
}

/** Theme and language. */
export function Appearance({ settings, onChange }: AppearanceProps) {
  return (
    <section class="card" aria-labelledby="options-appearance">
      <h2 id="options-appearance">{t('optionsAppearance')}</h2>
      <Select
        label={t('theme')}
        value={settings.theme}
        choices={[
          { value: 'system', label: t('themeSystem') },
          { value: 'light', label: t('themeLight') },
          { value: 'dark', label: t('themeDark') },
        ]}
        onChange={(theme) => onChange({ theme })}
        testId="theme"
      />
      <Select
        label={t('language')}
        value={settings.language ?? ''}
        choices={[
          { value: '', label: t('languageBrowser') },
          ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
        ]}
        onChange={(language) => onChange({ language: language === '' ? undefined : language })}
        testId="language"
      />
    </section>
  );
}
