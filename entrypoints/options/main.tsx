import { applyAppearance, mount } from '../../components/mount';
import { Options } from '../../components/options/Options';
import { createOptions } from '../../components/options/page';
import { saveFile } from '../../components/save-file';
import { browserModelStore } from '../../lib/engines/downloads/browser-store';
import { browserMachine } from '../../lib/engines/machine';
import { withBuiltInModel } from '../../lib/messages/built-in-model';
import { connectHost } from '../../lib/messages/rpc';
import { readSettings, updateSettings, watchSettings } from '../../lib/settings/store';

async function start(): Promise<void> {
  const closing = new AbortController();
  addEventListener('pagehide', () => closing.abort(), { once: true });
  const languages = navigator.languages;
  await applyAppearance(await readSettings(), languages);
  watchSettings((settings) => {
    applyAppearance(settings, languages).catch(() => undefined);
  }, closing.signal);
  const { state, intents } = createOptions(
    {
      host: withBuiltInModel(connectHost()),
      updateSettings,
      followSettings(listener, signal) {
        readSettings().then(listener, () => undefined);
        watchSettings(listener, signal);
      },
      async readMachine() {
        const { cores, memoryBytes, gpu } = browserMachine();
        return { cores, memoryBytes, gpu: await gpu() };
      },
      save: saveFile,
      importModel: async (files, progress, signal) =>
        (await browserModelStore().importFiles(files, progress, signal)).id,
    },
    closing.signal,
  );
  const View = () => <Options state={state.value} intents={intents} />;
  mount(<View />);
}

start().catch((error: unknown) => {
  document.body.textContent = error instanceof Error ? error.message : String(error);
});
