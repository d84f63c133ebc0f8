/// <reference types="chrome" />
import './jitless';

import { type CallOptions, callTool } from '../../../lib/page/call';
import { onToolsChanged } from '../../../lib/page/changes';
import { collectTab } from '../../../lib/page/collect';
import type { JsonObject, PageTool } from '../../../lib/tools/tool';

/** What tests call inside the service worker. */
export function createFace() {
  const changes: { tabId: number; tools: number }[] = [];
  onToolsChanged(
    (tabId, tools) => void changes.push({ tabId, tools }),
    new AbortController().signal,
  );
  const messages: { tabId?: number; message: unknown }[] = [];
  chrome.runtime.onMessage.addListener((message, { tab }) => {
    if (tab) messages.push({ tabId: tab.id, message });
  });
  return {
    changes,
    messages,
    /** The background registers the main-world script once it is installed. */
    async ready() {
      while (!(await chrome.scripting.getRegisteredContentScripts()).length)
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
    collect: (tabId: number, settle: boolean) =>
      collectTab(tabId, new AbortController().signal, { settle }),
    async call(
      tabId: number,
      tool: PageTool,
      args: JsonObject,
      { stopAfter, ...options }: CallOptions & { stopAfter?: number },
    ) {
      const stop = new AbortController();
      if (stopAfter !== undefined) setTimeout(() => stop.abort(new Error('stopped')), stopAfter);
      try {
        return await callTool(tabId, tool, args, stop.signal, options);
      } catch (error) {
        return { kind: 'stopped', reason: String(error) };
      }
    },
    async settings(settings: object) {
      const before = JSON.stringify(await chrome.scripting.getRegisteredContentScripts());
      await chrome.storage.local.set({ settings });
      while (JSON.stringify(await chrome.scripting.getRegisteredContentScripts()) === before)
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}
