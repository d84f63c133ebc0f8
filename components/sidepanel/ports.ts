import type { HostClient } from '../../lib/messages/host-api';
import type { Settings } from '../../lib/settings/settings';
import type { ImportModel } from '../model/intents';
import type { DraftStore } from './drafts';

export interface PanelTab {
  id: number;
  title: string;
  url: string;
}

/** What the panel needs of the browser; the entry point gives the real ones, tests give fakes. */
export interface PanelPorts {
  host: HostClient;
  /** Calls back with the window's active tab, now and whenever that or its address changes. */
  followTab: (listener: (tab: PanelTab | null) => void, signal: AbortSignal) => void;
  tabTitle: (tabId: number) => Promise<string | undefined>;
  reloadTab: (tabId: number) => Promise<void>;
  /** Brings the tab, and its window, to the front. */
  showTab: (tabId: number) => Promise<void>;
  updateSettings: (change: (settings: Settings) => Settings) => Promise<Settings>;
  /** Calls back with the settings, now and on every change. */
  followSettings: (listener: (settings: Settings) => void, signal: AbortSignal) => void;
  importModel: ImportModel;
  drafts: DraftStore;
  /** Offers a text as a file. */
  save: (filename: string, text: string) => void;
}
