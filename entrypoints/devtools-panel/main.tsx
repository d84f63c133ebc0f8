import { browser } from 'wxt/browser';
import { Devtools } from '../../components/devtools/Devtools';
import { createDevtools } from '../../components/devtools/panel';
import { applyAppearance, mount } from '../../components/mount';
import { saveFile } from '../../components/save-file';
import { callBackground } from '../../lib/messages/background-api';
import { connectHost } from '../../lib/messages/rpc';
import { followInspectors } from '../../lib/page/inspector/follow';
import { readInputs, writeInputs } from '../../lib/settings/saved-inputs';
import type { Settings } from '../../lib/settings/settings';
import { readSettings, updateSettings, watchSettings } from '../../lib/settings/store';
import { inspectForm, openPlace } from './show';

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
  const { tabId } = browser.devtools.inspectedWindow;
  const { state, intents } = createDevtools(
    {
      host: connectHost(),
      tabId,
      updateSettings,
      followSettings(listener, signal) {
        readSettings().then(listener, () => undefined);
        watchSettings(listener, signal);
      },
      readInputs: (origin) => readInputs(browser.storage.local, origin),
      writeInputs: (origin, inputs) => writeInputs(browser.storage.local, origin, inputs),
      save: saveFile,
      followPage(heard, gone, signal) {
        followInspectors(tabId, heard, gone, signal);
        callBackground('inspect', { tabId }).catch(() => undefined);
      },
      reloadPage: () => callBackground('reloadTab', { tabId }),
      openPlace,
      inspectForm,
    },
    closing.signal,
  );
  const View = () => <Devtools state={state.value} intents={intents} />;
  mount(<View />);
}

start().catch((error: unknown) => {
  document.body.textContent = error instanceof Error ? error.message : String(error);
});
