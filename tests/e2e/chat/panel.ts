import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'puppeteer';
import { until } from '../harness';

/** The side panel, driven as a person would: by what is on the screen. */
export function drive(panel: Page) {
  const id = (name: string) => `[data-testid="${name}"]`;
  const last = `${id('turn')}:last-child`;
  return {
    panel,
    /** Types a request and sends it with Enter. */
    async ask(text: string): Promise<void> {
      await panel.waitForSelector(`${id('composer')}:not([disabled])`);
      await panel.click(id('composer'));
      await panel.type(id('composer'), text);
      await panel.keyboard.press('Enter');
      await until(`the request “${text}” to show`, async () =>
        (await this.lastTurn()).includes(text),
      );
    },
    /** Waits until the last turn has ended and says why. */
    async ended(): Promise<string> {
      return until('the turn to end', () =>
        panel.$eval(last, (turn) => turn.getAttribute('data-end')),
      );
    },
    /** What the last turn shows. */
    lastTurn: () => panel.$eval(last, (turn) => (turn as HTMLElement).innerText).catch(() => ''),
    /** Waits for a call card of the last turn in the state. */
    card: (tool: string, state: string) =>
      panel.waitForSelector(
        `${last} ${id('call-card')}[data-tool="${tool}"][data-state="${state}"]`,
        { timeout: 20_000 },
      ),
    /** The values of the approval that waits, as they stand in its inputs. */
    values: () =>
      panel.$$eval(`${last} ${id('approval-value')} :is(input, select, textarea)`, (inputs) =>
        inputs.map((input) => (input as HTMLInputElement).value),
      ),
    cards: () =>
      panel.$$eval(`${last} ${id('call-card')}`, (cards) =>
        cards.map((card) => `${card.getAttribute('data-tool')} ${card.getAttribute('data-state')}`),
      ),
    async press(name: 'approve' | 'deny' | 'stop' | 'send'): Promise<void> {
      // Allow obeys the pointer only once it has stood still for a moment.
      const ready = name === 'approve' ? `${id(name)}[data-armed="true"]` : id(name);
      await panel.waitForSelector(ready);
      await panel.click(ready);
    },
    /** Fills one field of the open form, found by its label, and sends the form. */
    async fill(label: string, value: string): Promise<void> {
      const form = await panel.waitForSelector(`${last} ${id('schema-form')}`);
      const field = await panel.waitForSelector(`${id('schema-form')} ::-p-aria(${label})`);
      await field?.type(value);
      await (await form?.$('[type="submit"]'))?.click();
    },
    chip: () => panel.$eval(id('page-chip'), (chip) => (chip as HTMLElement).innerText),
    async view(name: 'chat' | 'tools' | 'log'): Promise<void> {
      await panel.click(id(`tab-${name}`));
    },
  };
}
export type Panel = ReturnType<typeof drive>;

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

/** Ids of serious and critical findings of axe in a page or frame. */
export async function seriousFindings(where: Page | Frame): Promise<string[]> {
  await where.evaluate(axeSource);
  return where.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string }[] }> };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map((violation) => violation.id);
  });
}
