import { type Signal, signal } from '@preact/signals';

/** Where drafts outlive the panel; the browser forgets them when it ends. */
export interface DraftStore {
  load(): Promise<Record<string, string>>;
  save(drafts: Record<string, string>): Promise<void>;
}

/** What is typed and not yet sent: each tab has its own, also after the panel was closed. */
export interface Drafts {
  of(tabId: number): Signal<string>;
}

export function createDrafts(store: DraftStore): Drafts {
  const drafts = new Map<number, Signal<string>>();
  const loaded = store.load().catch((): Record<string, string> => ({}));
  const save = async () => {
    const before = await loaded;
    const now = [...drafts].map(([tabId, draft]) => [`${tabId}`, draft.value] as const);
    const all = Object.entries({ ...before, ...Object.fromEntries(now) });
    await store.save(Object.fromEntries(all.filter(([, text]) => text !== '')));
  };
  const create = (tabId: number) => {
    const draft = signal('');
    loaded
      .then((before) => {
        // What was typed meanwhile is newer.
        if (draft.value === '') draft.value = before[tabId] ?? '';
        draft.subscribe(() => void save().catch(() => {}));
      })
      .catch(() => {});
    drafts.set(tabId, draft);
    return draft;
  };
  return { of: (tabId) => drafts.get(tabId) ?? create(tabId) };
}
