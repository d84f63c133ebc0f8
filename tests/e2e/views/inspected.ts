/// <reference types="chrome" />
import type { Frame, Page } from 'puppeteer';
import { type Harness, until } from '../harness';

/** The DevTools panel of a page. */
export interface Inspected {
  page: Page;
  devtools: Page;
  panel: Frame;
  press(selector: string): Promise<void>;
  /** Everything in the log. */
  events(): Promise<Record<string, unknown>[]>;
  /** The page's own events of it, each in a line. */
  rows(): Promise<string[]>;
  /** Waits for rows that fit, and gives them. */
  row(fits: RegExp): Promise<string[]>;
  /** How many rows fit, once everything up to now is in the log. */
  count(fits: RegExp): Promise<number>;
  /** Text of the detail of a tool. */
  detail(tool: string): Promise<string>;
  /** Back from the panel of DevTools' own that something was shown in. */
  show(): Promise<void>;
  close(): Promise<void>;
}

/** Opens DevTools for the page and Pagehand's panel in it. */
export async function inspect(browser: Harness, page: Page): Promise<Inspected> {
  const { devtools, panel } = await browser.devtoolsPanel(page, 'Pagehand');
  await panel.waitForSelector('[data-testid=dev-log]');
  const press = async (selector: string) => {
    await panel.waitForSelector(selector);
    await panel.$eval(selector, (element) => (element as HTMLElement).click());
  };
  const events = async () => {
    await press('[data-testid=dev-log]');
    // As copied: the list draws only what is on the screen.
    await panel.evaluate(() => {
      navigator.clipboard.writeText = async (text: string) => {
        (globalThis as { copied?: string }).copied = text;
      };
    });
    await press('.log-view .bar button');
    const text = await panel.evaluate(() => (globalThis as { copied?: string }).copied ?? '[]');
    return JSON.parse(text) as Record<string, unknown>[];
  };
  const rows = async () =>
    (await events())
      .filter(({ type }) => `${type}`.startsWith('page-') && type !== 'page-navigated')
      .map(brief);
  let marks = 0;
  const row = (fits: RegExp) =>
    until(`a row ${fits}`, async () => {
      const found = (await rows()).filter((text) => fits.test(text));
      return found.length > 0 ? found : undefined;
    }).catch(async (error) => {
      throw new Error(`${error}; there are:\n${(await rows()).join('\n')}`);
    });
  return {
    page,
    devtools,
    panel,
    press,
    events,
    rows,
    row,
    async count(fits) {
      const mark = `mark_${++marks}`;
      await page.evaluate(`document.modelContext.registerTool({
        name: '${mark}', description: 'x', execute() {},
      })`);
      await row(new RegExp(`registered ${mark} `));
      return (await rows()).filter((text) => fits.test(text)).length;
    },
    async detail(tool) {
      await press('[data-testid=dev-tools]');
      // The list draws only what is on the screen.
      await panel.$eval(
        '.split-list [type=search]',
        (input, wanted) => {
          (input as HTMLInputElement).value = wanted;
          input.dispatchEvent(new Event('input', { bubbles: true }));
        },
        tool,
      );
      // After a reload the list may still be that of the page before.
      return until(`the detail of ${tool}`, async () => {
        const row = await panel.$(`[data-tool="${tool}"] .dev-row:not([aria-pressed=true])`);
        await row?.evaluate((button) => (button as HTMLElement).click());
        return panel
          .$eval(
            `[data-testid=tool-detail][aria-label="${tool}"]`,
            (it) => (it as HTMLElement).innerText,
          )
          .catch(() => undefined);
      });
    },
    async show() {
      await browser.devtoolsPanel(page, 'Pagehand');
    },
    async close() {
      await devtools.close();
    },
  };
}

/** An event of the page's in one line. */
function brief(event: Record<string, unknown>): string {
  const { type, tool, by, args, end, places, form, found, elsewhere, late, changes, count } =
    event as {
      type: string;
      tool?: string;
      by?: string;
      args?: { text: string };
      end?: { outcome: string; said?: { text: string } };
      places?: { url: string; line: number; column: number }[];
      form?: boolean;
      found?: boolean;
      elsewhere?: boolean;
      late?: boolean;
      changes?: { field: string }[];
      count?: number;
    };
  const [at] = places ?? [];
  const place = at && `${at.url.split('/').pop()?.split('#')[0]}:${at.line}:${at.column}`;
  return [
    type.replace(/^page-(tool-)?/, ''),
    tool,
    by,
    elsewhere && 'elsewhere',
    form && 'form',
    found && 'found',
    late !== undefined && (late ? 'late' : 'early'),
    count,
    args?.text,
    changes?.map(({ field }) => field).join(),
    end && `${end.outcome} ${end.said?.text ?? ''}`,
    place && `at ${place}`,
  ]
    .filter((part) => part !== undefined && part !== false)
    .join(' ')
    .concat(' ');
}

/** Whether an inspector is in the page, as one could tell from inside. */
export const isInside = (page: Page): Promise<boolean> =>
  page.evaluate(
    () =>
      !dispatchEvent(new CustomEvent('pagehand-inspect-in', { detail: 'there', cancelable: true })),
  );
/** Scripts of Pagehand's that run in every page. */
export const registered = async (browser: Harness): Promise<string[]> => {
  const worker = await browser.worker();
  const scripts = await worker.evaluate(() => chrome.scripting.getRegisteredContentScripts());
  return scripts.map(({ id }) => id);
};
