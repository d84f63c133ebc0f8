import { browser } from 'wxt/browser';
import { Devtools } from '../../components/devtools/Devtools';
import { createDevtools } from '../../components/devtools/panel';
import { readInputs, writeInputs } from '../../components/devtools/saved-inputs';
import { applyAppearance, mount } from '../../components/mount';
import { saveFile } from '../../components/save-file';
import { connectHost } from '../../lib/messages/rpc';
import type { Settings } from '../../lib/settings/settings';
import { readSettings, updateSettings, watchSettings } from '../../lib/settings/store';

async function start(): Promise<void> {
  const closing = new AbortController();
  addEventListener('pagehide', () => closing.abort(), { once: true });
  // DevTools has a theme of its own, which pages inside it do not learn from the system.
  const themed = (settings: Settings): Settings =>
    settings.theme === 'system' && browser.devtools.panels.themeName === 'dark'
      ? { ...settings, theme: 'dark' }
      : settings;
  const dress = (settings: Settings) => applyAppearance(themed(settings), navigator.languages);
  await dress(await readSettings());
  watchSettings((settings) => {
    dress(settings).catch(() => undefined);
  }, closing.signal);
  const { state, intents } = createDevtools(
    {
      host: connectHost(),
      tabId: browser.devtools.inspectedWindow.tabId,
      updateSettings,
      followSettings(listener, signal) {
        readSettings().then(listener, () => undefined);
        watchSettings(listener, signal);
      },
      readInputs: (origin) => readInputs(browser.storage.local, origin),
      writeInputs: (origin, inputs) => writeInputs(browser.storage.local, origin, inputs),
      save: saveFile,
    },
    closing.signal,
  );
  const View = () => <Devtools state={state.value} intents={intents} />;
  mount(<View />);
}

start().catch((error: unknown) => {
  document.body.textContent = error instanceof Error ? error.message : String(error);
});
