import { type Browser, browser } from 'wxt/browser';
import { pause } from '../agent/stop';
import type { Words } from '../said/said';
import { say } from '../said/say';
import type { Catalog, PageTool } from '../tools/tool';
import { askDocument, SilentError, within } from './ask';
import { type CheckedList, checkTool, ListReplySchema } from './check';
import { delegatedFrames, originOfFrame, type ReportedFrame } from './frames';
import { injectScripts } from './scripts';
import { MAX_FRAMES, MAX_TOOLS } from './wire';

const MAX_NOTES = 20;
/** Longer than the content script waits for quiet. */
const LIST_LIMIT_MS = 5000;
const LOADING_LIMIT_MS = 4000;

type Frame = Browser.webNavigation.GetAllFrameResultDetails;

/**
 * Every tool of a tab, collected fresh from every frame, after the page has been quiet for a moment
 * (`settle`, at most 2 s). Rejects with the signal's reason only; a tab that is gone, restricted, asleep or
 * in need of a reload is a catalog without tools whose `obstacle` says so.
 */
export async function collectTab(
  tabId: number,
  signal: AbortSignal,
  { settle = true } = {},
): Promise<Catalog> {
  signal.throwIfAborted();
  const catalog: Catalog = { tabId, url: '', title: '', tools: [], notes: [] };
  const tab = await browser.tabs.get(tabId).catch(() => undefined);
  if (!tab) return { ...catalog, obstacle: 'no-page', notes: [say('tab-closed')] };
  catalog.url = tab.url ?? '';
  catalog.title = (tab.title ?? '').slice(0, 300).toWellFormed();
  if (tab.discarded)
    return {
      ...catalog,
      obstacle: 'asleep',
      notes: [say('tab-asleep')],
    };
  const all = (await browser.webNavigation.getAllFrames({ tabId }).catch(() => null)) ?? [];
  const live = all.filter(
    (frame) => (frame.documentLifecycle ?? 'active') === 'active' && !frame.errorOccurred,
  );
  const notes: Words[] = [];
  if (live.length > MAX_FRAMES) notes.push(say('frames-skipped', MAX_FRAMES, live.length));
  const asked = live.slice(0, MAX_FRAMES);
  const answers = await Promise.all(
    asked.map(async (frame): Promise<ReportedFrame | 'restricted' | undefined> => {
      const report = await askFrame(tabId, frame, settle, signal);
      if (!report || report === 'restricted') return report;
      const { frameId, parentFrameId, documentId } = frame;
      const origin = originOfFrame(frame, live, report.origin);
      return { frameId, parentFrameId, documentId, origin, report };
    }),
  );
  signal.throwIfAborted();
  const top = asked.findIndex((frame) => frame.frameId === 0);
  const topAnswer = answers[top];
  if (topAnswer === 'restricted' || (!topAnswer && !asked.length))
    return {
      ...catalog,
      obstacle: 'restricted',
      notes: [say('page-restricted')],
    };
  if (!topAnswer) notes.push(say('page-silent'));
  const frames = answers.filter((answer) => typeof answer === 'object');
  catalog.tools = await gather(tabId, frames, notes);
  const late = !!topAnswer && topAnswer.report.late && !topAnswer.report.native;
  if (late && !catalog.tools.length) catalog.obstacle = 'reload';
  if (late) notes.push(say('page-opened-before'));
  catalog.notes =
    notes.length > MAX_NOTES
      ? [...notes.slice(0, MAX_NOTES), say('notes-more', notes.length - MAX_NOTES)]
      : notes;
  return catalog;
}

async function gather(tabId: number, frames: ReportedFrame[], notes: Words[]): Promise<PageTool[]> {
  const tools: PageTool[] = [];
  const delegated = await delegatedFrames(tabId, frames);
  const keys = new Set<string>();
  let dropped = 0;
  for (const frame of frames) {
    const { report, documentId, frameId, origin } = frame;
    dropped += report.dropped;
    let withheld = 0;
    for (const raw of report.tools) {
      const checked = checkTool(raw, { origin, documentId, frameId });
      if (!checked || keys.has(checked.tool.key)) {
        dropped++;
        continue;
      }
      const { tool } = checked;
      keys.add(tool.key);
      if (!delegated.has(frame)) withheld++;
      else if (tools.length >= MAX_TOOLS) dropped++;
      else {
        tools.push(tool);
        notes.push(...checked.notes);
      }
    }
    if (withheld) notes.push(say('frame-withheld', withheld, origin));
  }
  if (dropped) notes.push(say('tools-dropped', dropped, MAX_TOOLS));
  return tools;
}

async function askFrame(
  tabId: number,
  frame: Frame,
  settle: boolean,
  signal: AbortSignal,
): Promise<CheckedList | 'restricted' | undefined> {
  const end = Date.now() + LOADING_LIMIT_MS;
  let injected = false;
  for (;;) {
    try {
      const reply = await askDocument(
        tabId,
        frame.documentId,
        { pagehand: 'list', settle },
        signal,
        LIST_LIMIT_MS,
      );
      const parsed = ListReplySchema.safeParse(reply);
      return parsed.success ? parsed.data : undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SilentError) || error.silence !== 'absent') return;
    }
    const tab = await browser.tabs.get(tabId).catch(() => undefined);
    if (!tab) return;
    if (tab.status === 'loading' && Date.now() < end) {
      // The script runs once the document is parsed.
      await pause(100, signal);
      continue;
    }
    if (injected) return;
    injected = true;
    const injecting = injectScripts(tabId, frame.documentId, frame.url);
    const refused = await within(
      LIST_LIMIT_MS,
      injecting.then(() => '', String),
      'late',
    );
    if (refused)
      return /cannot access|cannot be scripted|must request permission/i.test(refused)
        ? 'restricted'
        : undefined;
  }
}
