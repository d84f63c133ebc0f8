import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../lib/agent/events';
import { type SiteServer, serveSite } from '../../sites/serve';
import { openHost } from '../engines/host';
import { SECONDS, SEED, standStill, watchThrown } from '../fuzz';
import { Harness, until } from '../harness';
import { isWorker } from '../launch';
import { drive } from './panel';

/** Least number of turns, however slow the machine. */
const TURNS = 6;
/** Of a page that hangs, before the person presses Stop. */
const PATIENCE_MS = 5000;
const NAMES = ['answers', 'answers_late', 'throws', 'hangs', 'circular', 'navigates'];

describe.each([
  { name: 'the browser has WebMCP', native: true },
  { name: 'the browser has none', native: false },
])('a person chats with a page that does everything at random, where $name', ({ native }) => {
  let browser: Harness;
  let site: SiteServer;
  beforeAll(async () => {
    site = await serveSite(resolve(import.meta.dirname, '../../sites/hostile'));
    browser = await Harness.start({}, { native });
  });
  afterAll(async () => {
    await browser?.stop();
    await site?.close();
  });

  test(`every turn ends once, no call runs twice, nothing of ours throws (seed ${SEED})`, {
    timeout: SECONDS * 1000 + 120_000,
  }, async () => {
    const page = await browser.open(`${site.origin}/fuzz.html?seed=${SEED}`);
    const host = await openHost(browser);
    await page.bringToFront();
    const chat = drive(await browser.sidePanel(page));
    const contexts = browser.browser
      .targets()
      .filter((target) => isWorker(target) || target.url().startsWith('chrome-extension://'));
    const thrown = await watchThrown([...contexts, page.target()]);

    const decided = () => {
      const since = Date.now();
      return until('the turn to end', async () => {
        const end = await chat.panel.$eval('[data-testid="turn"]:last-child', (turn) =>
          turn.getAttribute('data-end'),
        );
        if (end) return end;
        const button = Date.now() - since < PATIENCE_MS ? 'approve' : 'stop';
        // Not there, or gone again: then there is nothing to press.
        await chat.panel
          .$eval(`[data-testid="${button}"]`, (there) => (there as HTMLElement).click())
          .catch(() => {});
        return undefined;
      });
    };
    let asked = 0;
    for (const end = Date.now() + SECONDS * 1000; asked < TURNS || Date.now() < end; asked++) {
      await chat.ask(`Use ${NAMES[asked % NAMES.length]} with the id r${asked}`);
      await decided();
    }
    const runs = await standStill(page);
    const events = await host.events(page.url());
    const of = <T extends AgentEvent['type']>(type: T) =>
      events.filter((event): event is Extract<AgentEvent, { type: T }> => event.type === type);
    expect(of('turn-ended').map(({ turnId }) => turnId)).toEqual(
      of('turn-started').map(({ turnId }) => turnId),
    );
    expect(of('turn-started')).toHaveLength(asked);
    // Each call that the log knows of ran at most once, each that was answered exactly once, and
    // nothing ran that the log knows nothing of. A turn may call more than one tool with its id.
    const counted = (type: 'call-started' | 'call-finished') =>
      of(type)
        .map(({ callId }) => callId)
        .sort();
    expect(counted('call-finished')).toEqual(counted('call-started'));
    const idOf = new Map(
      of('call-proposed').map(({ callId, arguments: given }) => [callId, JSON.stringify(given)]),
    );
    const per = (calls: { callId: string }[], id: string) =>
      calls.filter(({ callId }) => idOf.get(callId) === JSON.stringify({ id })).length;
    for (const id of Array.from({ length: asked }, (_, i) => `r${i}`)) {
      const ran = runs[id] ?? 0;
      const started = per(of('call-started'), id);
      const answered = per(
        of('call-finished').filter(({ ok }) => ok),
        id,
      );
      expect({ id, ran, started, answered }).toSatisfy(() => answered <= ran && ran <= started);
    }
    expect(Object.keys(runs).length).toBeGreaterThan(0);
    expect(thrown).toEqual([]);
  });
});
