/// <reference types="chrome" />
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Page } from 'puppeteer';
import * as z from 'zod';
import { AgentEvent } from '../../../lib/agent/events';
import { watchThrown } from '../fuzz';
import { Harness, until } from '../harness';
import { isWorker } from '../launch';

const SITES = resolve(import.meta.dirname, '../../sites');
const PAGE = '/hostile/chaos.html';
const TOOLS = [
  'look',
  'write',
  'write_slowly',
  'look_slowly',
  'hang',
  'throw_oddly',
  'leave',
  'leave_silently',
  'warn',
  'answer_much',
];
/** Of a tool that hangs, before the person presses Stop. */
const PATIENCE_MS = 4000;
/** A turn that has not ended by then never will. */
const TURN_LIMIT_MS = 45_000;
/** Longer than a disk that failed is left alone. */
const DISK_LIMIT_MS = 60_000;
/** Faults after which the panel is on another tab. */
const TAKES_TAB = new Set(['page crashed', 'page closed']);
const Log = z.array(AgentEvent);

export interface ChaosReport {
  seed: number;
  native: boolean;
  steps: number;
  /** How often each fault was made. */
  faults: Record<string, number>;
  turns: number;
  events: number;
  /** Calls: started by the log, finished well by the log, run by the page's own count. */
  calls: { started: number; ok: number; ran: number };
  ends: Record<string, number>;
  /** What must not be, in words; empty where all was well. */
  failures: string[];
}

/**
 * A person who asks, allows, denies and stops at random, on a page whose tools end in every way, while
 * what Pagehand is made of is ended, closed, frozen and crashed under it. The same seed does the same.
 */
export async function chaos(options: {
  seed: number;
  native: boolean;
  /** How long, in milliseconds, and at least how many requests. */
  ms: number;
  atLeast: number;
  told?: (line: string) => void;
}): Promise<ChaosReport> {
  const random = randomFrom(options.seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const ran = new Map<string, number>();
  const browser = await Harness.start(
    {},
    {
      native: options.native,
      async serve(request, response) {
        const url = new URL(request.url ?? '/', 'http://site');
        if (url.pathname === '/ran') {
          const id = url.searchParams.get('id') ?? '';
          ran.set(id, (ran.get(id) ?? 0) + 1);
          response.writeHead(204).end();
          return true;
        }
        const body = await readFile(join(SITES, url.pathname)).catch(() => undefined);
        if (!body) return false;
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(body);
        return true;
      },
    },
  );
  const report: ChaosReport = {
    seed: options.seed,
    native: options.native,
    steps: 0,
    faults: {},
    turns: 0,
    events: 0,
    calls: { started: 0, ok: 0, ran: 0 },
    ends: {},
    failures: [],
  };
  const thrown: (readonly string[])[] = [];
  const watch = async (target: Parameters<typeof watchThrown>[0][number]) => {
    // Puppeteer would hold the next worker, which nothing but the browser starts.
    if (!target.url().startsWith('chrome-extension://') || isWorker(target)) return;
    thrown.push(await watchThrown([target]).catch(() => []));
  };
  browser.browser.on('targetcreated', (target) => void watch(target));
  let page: Page;
  let panel: Page;
  const openPage = async () => {
    const opened = await browser.open(`${browser.origin}${PAGE}`);
    opened.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
    return opened;
  };
  const openPanel = async () => {
    await page.bringToFront();
    const opened = await browser.sidePanel(page);
    await opened.waitForSelector('[data-testid="composer"]');
    return opened;
  };
  const isAlive = async (one: Page) => {
    const late = new Promise<false>((done) => setTimeout(done, 3000, false));
    const there = one.evaluate(() => document.readyState !== 'loading').catch(() => false);
    return !one.isClosed() && (await Promise.race([there, late]));
  };
  /** A page with its tools and a panel on it, whatever became of the last ones. */
  const ready = async () => {
    if (!(await isAlive(page))) {
      await page.close().catch(() => {});
      page = await openPage();
    }
    if (!page.url().includes(PAGE)) await page.goto(`${browser.origin}${PAGE}`);
    if (!(await isAlive(panel))) panel = await openPanel();
    await page.bringToFront();
    await until('the panel to be ready', () => panel.$('[data-testid="composer"]:not([disabled])'));
  };
  const host = () => browser.page('/host.html');

  const faults: Record<string, () => Promise<void>> = {
    'host closed': async () => {
      await panel.evaluate(() => chrome.offscreen.closeDocument().catch(() => {}));
    },
    'panel reloaded': async () => void (await panel.reload()),
    'panel closed': async () => {
      await panel.close();
      panel = await openPanel();
    },
    'page reloaded': async () => void (await page.reload()),
    'page left and back': async () => {
      await page.goto(`${browser.origin}/hostile/private.html`);
      await page.goBack();
    },
    'page frozen': async () => {
      const session = await page.createCDPSession();
      await session.send('Page.setWebLifecycleState', { state: 'frozen' });
      await session.send('Page.setWebLifecycleState', { state: 'active' });
      await session.detach();
    },
    'page crashed': async () => {
      const session = await page.createCDPSession();
      await Promise.race([session.send('Page.crash'), pauseFor(500)]).catch(() => {});
      await page.close();
      page = await openPage();
    },
    'page closed': async () => {
      await page.close();
      page = await openPage();
    },
    'another tab': async () => {
      const other = await browser.open(`${browser.origin}/hostile/private.html`);
      await other.close();
      await page.bringToFront();
    },
    'twenty tabs': async () => {
      const tabs = await Promise.all(Array.from({ length: 20 }, () => browser.browser.newPage()));
      await Promise.all(tabs.map((tab) => tab.goto(`${browser.origin}${PAGE}`)));
      await Promise.all(tabs.map((tab) => tab.close()));
      await page.bringToFront();
    },
    'another window': async () => {
      await panel.evaluate(async () => {
        const opened = await chrome.windows.create({ url: 'about:blank' });
        if (opened?.id !== undefined) await chrome.windows.remove(opened.id);
      });
    },
    'disk full': async () => {
      const there = await host();
      await there.evaluate(() => {
        const { put } = IDBObjectStore.prototype;
        IDBObjectStore.prototype.put = () => {
          IDBObjectStore.prototype.put = put;
          throw new DOMException('One byte is left.', 'QuotaExceededError');
        };
      });
    },
    stop: async () => press('stop'),
  };
  const press = async (name: string) => {
    await panel
      .$eval(`[data-testid="${name}"]`, (button) => (button as HTMLElement).click())
      .catch(() => {});
  };
  const send = async (ask: string) => {
    const box = '[data-testid="composer"]';
    // What a panel that was closed left behind as a draft is not sent along.
    await panel.click(box, { count: 3 });
    await panel.keyboard.press('Backspace');
    await panel.type(box, ask);
    await panel.keyboard.press('Enter');
  };
  /** How the turn that was asked with this id ended; `absent` where the panel shows none. */
  const endOf = (id: string) =>
    panel
      .$$eval(
        '[data-testid="turn"]',
        (turns, wanted) => {
          const turn = turns.find((one) =>
            new RegExp(`with the id ${wanted}\\b`).test((one as HTMLElement).innerText),
          );
          return turn === undefined ? 'absent' : (turn.getAttribute('data-end') ?? undefined);
        },
        id,
      )
      .catch(() => undefined);

  try {
    page = await openPage();
    panel = await openPanel();
    for (const target of browser.browser.targets()) await watch(target);
    const over = Date.now() + options.ms;
    for (let step = 0; step < options.atLeast || Date.now() < over; step++) {
      report.steps++;
      await ready();
      // Fifty megabytes take their time: not at every turn.
      const tool = pick(random() < 0.1 ? TOOLS : TOOLS.slice(0, -1));
      const ask = `Use ${tool} with the id r${step}`;
      await send(ask);
      const fault = random() < 0.7 ? pick(Object.keys(faults)) : undefined;
      const answer = pick(['approve', 'approve', 'deny']);
      options.told?.(`${step}: ${ask}${fault === undefined ? '' : `, ${fault}`}, ${answer}`);
      await pauseFor(random() * 600);
      if (fault !== undefined) {
        report.faults[fault] = (report.faults[fault] ?? 0) + 1;
        await faults[fault]?.().catch((error: unknown) => {
          report.failures.push(`step ${step}: the fault “${fault}” could not be made: ${error}`);
        });
        await ready();
      }
      const since = Date.now();
      await until(
        `the turn of “${ask}” to end`,
        async () => {
          const end = await endOf(`r${step}`);
          // Its tab is gone, and the turn with it.
          if (end !== undefined && (end !== 'absent' || TAKES_TAB.has(fault ?? ''))) return true;
          await press(Date.now() - since < PATIENCE_MS ? answer : 'stop');
          return false;
        },
        TURN_LIMIT_MS,
      ).catch((error: unknown) => report.failures.push(`step ${step}: ${error}`));
    }
    await ready();
    // What a full disk did not take is written with the first request after it was left alone for a while.
    let log: AgentEvent[] = [];
    for (let last = 0, over = Date.now() + DISK_LIMIT_MS; Date.now() < over; last++) {
      await send(`Use look with the id last${last}`);
      await until(
        'the last turn to end',
        async () => ![undefined, 'absent'].includes(await endOf(`last${last}`)),
        TURN_LIMIT_MS,
      ).catch((error: unknown) => report.failures.push(String(error)));
      log = Log.parse(await (await host()).evaluate(readLog));
      const asked = of(log, 'turn-started').some(({ ask }) => ask.endsWith(`last${last}`));
      if (asked && openTurns(log).length === 0) break;
      await pauseFor(2000);
    }
    judge(report, log, ran);
    report.failures.push(...thrown.flat().map((text) => `thrown: ${text.slice(0, 500)}`));
  } finally {
    await browser.stop();
  }
  return report;
}

const pauseFor = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** mulberry32 */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const readLog = (): Promise<unknown> =>
  new Promise((done, fail) => {
    const asked = indexedDB.open('pagehand');
    asked.onerror = () => fail(asked.error);
    asked.onsuccess = () => {
      const all = asked.result.transaction('events').objectStore('events').getAll();
      all.onerror = () => fail(all.error);
      all.onsuccess = () => {
        asked.result.close();
        done(all.result);
      };
    };
  });

type EventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
const of = <T extends AgentEvent['type']>(log: readonly AgentEvent[], type: T) =>
  log.filter((event): event is EventOf<T> => event.type === type);

function openTurns(log: readonly AgentEvent[]): string[] {
  const ended = new Set(of(log, 'turn-ended').map(({ turnId }) => turnId));
  return of(log, 'turn-started')
    .map(({ turnId }) => turnId)
    .filter((turnId) => !ended.has(turnId));
}

/** Compares the log with what the page counted. Every request has an id of its own. */
function judge(report: ChaosReport, log: readonly AgentEvent[], ran: Map<string, number>): void {
  const fail = (text: string) => void report.failures.push(text);
  const turns = of(log, 'turn-started');
  report.turns = turns.length;
  report.events = log.length;
  for (const { turnId, ask } of turns) {
    const ends = of(log, 'turn-ended').filter((end) => end.turnId === turnId);
    if (ends.length !== 1) fail(`“${ask}” ended ${ends.length} times`);
    for (const { reason } of ends) report.ends[reason] = (report.ends[reason] ?? 0) + 1;
  }
  const started = new Set(of(log, 'call-started').map(({ callId }) => callId));
  const finished = new Map(of(log, 'call-finished').map((end) => [end.callId, end]));
  const allowed = new Map(
    of(log, 'approval-answered').map(({ callId, decision }) => [callId, decision]),
  );
  const idOf = (given: unknown): string =>
    z.object({ id: z.string() }).safeParse(given).data?.id ?? '';
  const calls = new Map<string, EventOf<'call-proposed'>[]>();
  for (const call of of(log, 'call-proposed')) {
    if (call.tool.origin === 'pagehand') continue;
    const id = idOf(call.arguments);
    calls.set(id, [...(calls.get(id) ?? []), call]);
  }
  for (const [id, count] of ran) {
    if (!calls.has(id)) fail(`${id} ran ${count} times and the log knows nothing of it`);
  }
  for (const [id, some] of calls) {
    const count = ran.get(id) ?? 0;
    const begun = some.filter(({ callId }) => started.has(callId));
    const well = begun.filter(({ callId }) => finished.get(callId)?.ok === true);
    const told = begun.filter(({ callId }) => {
      const end = finished.get(callId);
      return end === undefined || end.ok || end.mayHaveRun;
    });
    report.calls.started += begun.length;
    report.calls.ok += well.length;
    report.calls.ran += count;
    if (count > begun.length) fail(`${id} ran ${count} times, ${begun.length} were started`);
    if (count < well.length) fail(`${id} ran ${count} times, ${well.length} were told as done`);
    // A call that only reads is never told as one that may have run: it changes nothing.
    const changing = some.filter(({ readOnly }) => !readOnly);
    if (changing.length === some.length && count > told.length) {
      fail(`${id} ran ${count} times, ${told.length} were told as run or perhaps run`);
    }
    for (const { callId, tool } of changing) {
      if (started.has(callId) && allowed.get(callId) !== 'allow') {
        fail(`${tool.name} ${id} was started and not allowed`);
      }
    }
  }
}
