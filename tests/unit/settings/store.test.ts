import fc from 'fast-check';
import { beforeEach, expect, it } from 'vitest';
import { fakeBrowser } from 'wxt/testing/fake-browser';
import { Settings, siteSettings } from '../../../lib/settings/settings';
import {
  checkSettings,
  readSettings,
  updateSettings,
  watchSettings,
} from '../../../lib/settings/store';

beforeEach(() => fakeBrowser.reset());

it('starts with the instant engine and nothing captured', async () => {
  expect(await readSettings()).toMatchObject({ engine: 'instant', capture: false, shim: true });
});

it('one broken entry costs only itself', () => {
  expect(
    checkSettings({ engine: 'nonsense', capture: true, keepHistoryDays: -1, theme: 'dark' }),
  ).toMatchObject({ engine: 'instant', capture: true, keepHistoryDays: 0, theme: 'dark' });
});

it('one broken site costs only itself', () => {
  const sites = { 'https://a.test': { defer: 'always' }, 'https://b.test': { defer: 'maybe' } };
  const settings = checkSettings({ sites });
  expect(siteSettings(settings, 'https://a.test').defer).toBe('always');
  expect(siteSettings(settings, 'https://b.test').defer).toBe('auto');
});

it('reads anything without throwing, and what it reads is whole', () => {
  fc.assert(
    fc.property(fc.anything(), (raw) => {
      expect(Settings.safeParse(checkSettings(raw)).success).toBe(true);
    }),
  );
});

it('an origin named like an object’s own machinery has default settings', () => {
  for (const origin of ['__proto__', 'constructor', 'toString']) {
    expect(siteSettings(Settings.parse({}), origin).defer).toBe('auto');
  }
});

it('refuses a change that does not fit and keeps what was there', async () => {
  await updateSettings((s) => ({ ...s, unloadAfterMinutes: 5 }));
  await expect(updateSettings((s) => ({ ...s, unloadAfterMinutes: -1 }))).rejects.toThrow();
  expect((await readSettings()).unloadAfterMinutes).toBe(5);
});

it('tells every watcher until it stops listening', async () => {
  const heard: string[] = [];
  const stop = new AbortController();
  watchSettings((s) => heard.push(s.theme), stop.signal);
  await updateSettings((s) => ({ ...s, theme: 'dark' }));
  stop.abort();
  await updateSettings((s) => ({ ...s, theme: 'light' }));
  expect(heard).toEqual(['dark']);
});

it('changes made at the same time are all kept', async () => {
  await Promise.all([
    updateSettings((s) => ({ ...s, capture: true })),
    updateSettings((s) => ({ ...s, unloadAfterMinutes: -1 })).catch(() => {}),
    updateSettings((s) => ({ ...s, theme: 'dark' })),
  ]);
  expect(await readSettings()).toMatchObject({ capture: true, theme: 'dark' });
});
