/**
 * `npm start`: builds Pagehand, finds (or installs) a browser, serves the demo shop and opens it
 * with Pagehand in a profile of its own. Without a display it holds one conversation through the
 * real side panel and prints it.
 *
 *   npm start                                     the demo
 *   npm start -- --ask "…" [--ask "…"] --url …    any requests on any page, without a window
 *   --allow     allow what asks for approval      (the demo does; otherwise it is denied)
 *   --native    switch on the browser's own WebMCP, where it is behind a flag
 *   --headless  no window even where there is a display
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { launchWithPagehand } from '../tests/e2e/launch';
import { serveSite } from '../tests/sites/serve';
import { findBrowser } from './browser';
import { converse } from './converse';

const DEMO = ['Which hats cost less than 30 euros?', 'Add two trail caps to the cart'];

const { values } = parseArgs({
  options: {
    ask: { type: 'string', multiple: true },
    url: { type: 'string' },
    allow: { type: 'boolean', default: false },
    native: { type: 'boolean', default: false },
    headless: { type: 'boolean', default: false },
  },
});

const display =
  process.platform !== 'linux' || !!process.env['DISPLAY'] || !!process.env['WAYLAND_DISPLAY'];
const headless = values.headless || !display || !!values.ask;

console.log('Building Pagehand…');
const build = spawnSync('npx', ['--no-install', 'wxt', 'build'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (build.status !== 0) {
  console.error('The build failed; what it said is above.');
  process.exit(1);
}

const executablePath = await findBrowser();
const shop = await serveSite(resolve(import.meta.dirname, '../tests/sites/shop'));
const url = values.url ?? `${shop.origin}/index.html`;
const pagehand = await launchWithPagehand({
  executablePath,
  headless,
  native: values.native,
  userDataDir: headless ? undefined : resolve('.pagehand-profile.local'),
});

async function close(code: number): Promise<never> {
  await pagehand.browser.close().catch(() => {});
  await shop.close();
  process.exit(code);
}

if (headless) {
  mkdirSync('.results', { recursive: true });
  const screenshot = resolve('.results/conversation.png');
  const answered = await converse({
    pagehand,
    url,
    asks: values.ask ?? DEMO,
    allow: values.allow || !values.ask,
    screenshot,
    say: (line) => console.log(line),
  });
  console.log(`\nScreenshot: ${screenshot}`);
  await close(answered ? 0 : 1);
}

const [first] = await pagehand.browser.pages();
await (first ?? (await pagehand.browser.newPage())).goto(url);
console.log(`The demo shop is open in ${executablePath}:`);
console.log(
  '1. Click Pagehand’s icon in the toolbar (the puzzle piece holds it): the side panel opens.',
);
console.log(`2. Type: ${DEMO[0]}`);
console.log(
  `3. Then: ${DEMO[1]}. Pagehand asks before it changes anything. Close the window to end.`,
);
pagehand.browser.on('disconnected', () => void shop.close().then(() => process.exit(0)));
