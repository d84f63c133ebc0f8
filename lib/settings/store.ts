import { browser } from 'wxt/browser';
import type * as z from 'zod';
import { Settings, SiteSettings } from './settings';

const KEY = 'settings';

/**
 * The settings, with defaults for what is missing. A value that does not fit falls back to its
 * default alone: one broken entry does not lose the others.
 */
export async function readSettings(): Promise<Settings> {
  const stored = await browser.storage.local.get(KEY);
  return checkSettings(stored[KEY]);
}

/** Reads a settings object from outside, entry by entry. */
export function checkSettings(raw: unknown): Settings {
  const whole = Settings.safeParse(raw ?? {});
  if (whole.success) return whole.data;
  const entries = fitting(raw, Settings.shape);
  const sites = isObject(raw) && isObject(raw['sites']) ? raw['sites'] : {};
  entries['sites'] = Object.fromEntries(
    Object.entries(sites).filter(([, site]) => SiteSettings.safeParse(site).success),
  );
  return Settings.parse(entries);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The entries of an object that fit their schema. */
function fitting(raw: unknown, shape: Record<string, z.ZodType>): Record<string, unknown> {
  if (!isObject(raw)) return {};
  return Object.fromEntries(
    Object.entries(shape).flatMap(([key, schema]) =>
      Object.hasOwn(raw, key) && schema.safeParse(raw[key]).success ? [[key, raw[key]]] : [],
    ),
  );
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Reads, changes and writes, one change after the other, so that none is lost. Returns what was
 * written; rejects when the change does not fit.
 */
export function updateSettings(change: (settings: Settings) => Settings): Promise<Settings> {
  const written = last.then(() =>
    alone(async () => {
      const next = Settings.parse(change(await readSettings()));
      await browser.storage.local.set({ [KEY]: next });
      return next;
    }),
  );
  last = written.catch(() => {});
  return written;
}

/** Runs while no other view changes the settings. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  return locks ? locks.request('pagehand-settings', work) : work();
}

/** Calls back with the settings whenever any view changed them, until the signal aborts. */
export function watchSettings(listener: (settings: Settings) => void, signal: AbortSignal): void {
  const changed = (changes: Record<string, { newValue?: unknown }>, area: string) => {
    if (area === 'local' && KEY in changes) listener(checkSettings(changes[KEY]?.newValue));
  };
  browser.storage.onChanged.addListener(changed);
  signal.addEventListener('abort', () => browser.storage.onChanged.removeListener(changed), {
    once: true,
  });
}
