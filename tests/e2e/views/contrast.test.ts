import puppeteer, { type Browser, type CDPSession, type Page } from 'puppeteer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Gallery, startGallery } from './gallery';

/** WCAG AA for text; what is switched off need only be made out. */
const ENOUGH = 4.5;
const ENOUGH_DISABLED = 3;

let gallery: Gallery;
let browser: Browser;
let page: Page;
let session: CDPSession;
let states: string[];

beforeAll(async () => {
  gallery = await startGallery();
  browser = await puppeteer.launch({
    executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
    headless: true,
    args: ['--no-sandbox'],
  });
  page = await browser.newPage();
  await page.setViewport({ width: 360, height: 720 });
  await page.goto(gallery.url(''));
  await page.waitForSelector('#states');
  states = await page.$$eval('#states a', (links) => links.map((link) => link.textContent ?? ''));
  session = await page.createCDPSession();
  await session.send('DOM.enable');
  await session.send('CSS.enable');
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await gallery?.stop();
});

const CONTROLS = 'button, summary, a[href], select, input:not([type=file]), textarea, [role=tab]';
const PSEUDO = [[], ['hover'], ['hover', 'active'], ['focus', 'focus-visible']];

/** Marks one control of each look that was not met before; says what marks them. */
const markFresh = (seen: string[]) =>
  page.evaluate(
    (controls, before) => {
      const known = new Set(before);
      const looks: string[] = [];
      for (const element of document.querySelectorAll<HTMLElement>(controls)) {
        const at = [...element.attributes]
          .filter(({ name }) =>
            /^(class|type|aria-(pressed|selected|checked)|disabled)$/.test(name),
          )
          .map(({ name, value }) => `${name}=${value}`);
        const around = element.parentElement?.closest('[class]')?.className ?? '';
        const look = [around, element.localName, ...at].join(' ');
        if (known.has(look) || !element.checkVisibility()) continue;
        known.add(look);
        looks.push(look);
        element.dataset['look'] = look;
      }
      return looks;
    },
    CONTROLS,
    seen,
  );

/** Contrast of each marked control's own letters, or of its icon, with what lies behind them. */
const contrasts = () =>
  page.evaluate(() => {
    type Colour = [number, number, number, number];
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    const read = (css: string): Colour => {
      if (!canvas) throw new Error('no canvas');
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = css;
      canvas.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0, a = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a]: Colour, [R, G, B]: Colour): Colour => [
      r * a + R * (1 - a),
      g * a + G * (1 - a),
      b * a + B * (1 - a),
      1,
    ];
    const light = ([r, g, b]: Colour) => {
      const [x = 0, y = 0, z = 0] = [r, g, b].map((channel) => {
        const part = channel / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const behind = (element: Element): Colour => {
      const layers: Colour[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) {
        layers.push(read(getComputedStyle(at).backgroundColor));
      }
      const page = read(
        getComputedStyle(document.documentElement).colorScheme === 'dark' ? '#000' : '#fff',
      );
      return layers.reduceRight((below, layer) => over(layer, below), page);
    };
    return [...document.querySelectorAll<HTMLElement>('[data-look]')].map((element) => {
      const back = behind(element);
      const { color, opacity, filter } = getComputedStyle(element);
      const [a, b] = [light(over(read(color), back)), light(back)].sort((x, y) => y - x);
      return {
        look: element.dataset['look'] ?? '',
        disabled: element.matches(':disabled'),
        ratio: ((a ?? 0) + 0.05) / ((b ?? 0) + 0.05),
        blurred: opacity !== '1' || filter !== 'none',
      };
    });
  });

describe.each(['light', 'dark'])('in the %s theme', (theme) => {
  test('the label of every control can be read, whatever the pointer or the keyboard does', async () => {
    const seen: string[] = [];
    const bad: string[] = [];
    for (const state of states) {
      await page.goto(gallery.url(state, { theme }));
      await page.waitForSelector('#app > *');
      await page.addStyleTag({ content: '* { transition: none !important; }' });
      const fresh = await markFresh(seen);
      if (fresh.length === 0) continue;
      seen.push(...fresh);
      const { root } = await session.send('DOM.getDocument', { depth: 0 });
      const { nodeIds } = await session.send('DOM.querySelectorAll', {
        nodeId: root.nodeId,
        selector: '[data-look]',
      });
      for (const forcedPseudoClasses of PSEUDO) {
        for (const nodeId of nodeIds) {
          await session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses });
        }
        for (const { look, ratio, disabled, blurred } of await contrasts()) {
          if (ratio >= (disabled ? ENOUGH_DISABLED : ENOUGH) && !blurred) continue;
          bad.push(
            `${state}: ${look} (${forcedPseudoClasses.join(' ') || 'at rest'}) ${ratio.toFixed(2)}`,
          );
        }
      }
    }
    expect(seen.length).toBeGreaterThan(40);
    expect(bad).toEqual([]);
  }, 120_000);
});
