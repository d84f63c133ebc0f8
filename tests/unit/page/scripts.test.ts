import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { registerInspector, registerMainScripts, shimRule } from '../../../lib/page/scripts';
import { Settings } from '../../../lib/settings/settings';

type Script = { id: string; matches?: string[]; excludeMatches?: string[] };

describe('registerMainScripts', () => {
  let present: Map<string, Script>;
  let gaps: number;
  beforeEach(() => {
    fakeBrowser.reset();
    present = new Map();
    gaps = 0;
    const put = async (scripts: Script[]) => {
      for (const script of scripts) present.set(script.id, script);
    };
    Object.assign(fakeBrowser.scripting, {
      getRegisteredContentScripts: vi.fn(async () => [...present.values()]),
      registerContentScripts: vi.fn(put),
      updateContentScripts: vi.fn(put),
      unregisterContentScripts: vi.fn(async ({ ids }: { ids: string[] }) => {
        for (const id of ids) present.delete(id);
        if (!present.size) gaps++;
      }),
    });
  });
  const registered = async (settings: object) => {
    await fakeBrowser.storage.local.set({ settings });
    await registerMainScripts();
    return Object.fromEntries(
      [...present.values()].map(({ id, matches, excludeMatches }) => [
        id,
        { matches, excludeMatches },
      ]),
    );
  };

  test('the shim goes everywhere unless it is switched off', async () => {
    expect(await registered({})).toEqual({
      'page-shim': { matches: ['<all_urls>'], excludeMatches: [] },
    });
  });

  test('the reader takes its place where it is off', async () => {
    const sites = { 'https://a.test:8080': { shim: false } };
    expect(await registered({ sites })).toEqual({
      'page-shim': { matches: ['<all_urls>'], excludeMatches: ['https://a.test:8080/*'] },
      'page-reader': { matches: ['https://a.test:8080/*'], excludeMatches: undefined },
    });
    expect(await registered({ shim: false })).toEqual({
      'page-reader': { matches: ['<all_urls>'], excludeMatches: [] },
    });
    expect(gaps).toBe(0);
  });

  test('asked twice at once, registers each once', async () => {
    await Promise.all([registerMainScripts(), registerMainScripts()]);
    expect([...present.keys()]).toEqual(['page-shim']);
    expect(fakeBrowser.scripting.registerContentScripts).toHaveBeenNthCalledWith(2, []);
  });
});

describe('registerInspector', () => {
  let present: string[];
  const panels = (...addresses: string[]) =>
    Object.assign(fakeBrowser.runtime, {
      getContexts: async () =>
        addresses.map((path) => ({ documentUrl: `chrome-extension://id${path}` })),
    });
  beforeEach(() => {
    present = [];
    Object.assign(fakeBrowser.scripting, {
      getRegisteredContentScripts: async () => present.map((id) => ({ id })),
      registerContentScripts: async (scripts: Script[]) => {
        if (present.length) throw new Error('Duplicate script ID');
        present.push(...scripts.map(({ id }) => id));
      },
      unregisterContentScripts: async ({ ids }: { ids: string[] }) => {
        present = present.filter((id) => !ids.includes(id));
      },
    });
  });

  test('is there while a panel is, whoever asks how often', async () => {
    panels('/devtools.html', '/devtools-panel.html?tab=3');
    await Promise.all([registerInspector(), registerInspector()]);
    expect(present).toEqual(['page-inspector']);
  });

  test('goes with the last panel', async () => {
    panels('/devtools-panel.html?tab=3', '/devtools-panel.html?tab=4');
    await registerInspector();
    panels('/devtools-panel.html?tab=4');
    await registerInspector();
    expect(present).toEqual(['page-inspector']);
    panels('/devtools.html', '/options.html');
    await registerInspector();
    expect(present).toEqual([]);
  });
});

test('shimRule ignores what is no origin of the web', () => {
  const sites = Object.fromEntries(
    ['https://*.test', 'chrome://x', 'https://a.test/b', 'null', 'https://ok.test'].map((key) => [
      key,
      { shim: false },
    ]),
  );
  expect(shimRule(Settings.parse({ sites }))).toEqual({ on: true, except: ['https://ok.test'] });
});
