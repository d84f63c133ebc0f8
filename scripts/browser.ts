import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  Browser,
  computeExecutablePath,
  detectBrowserPlatform,
  getInstalledBrowsers,
  install,
  resolveBuildId,
} from '@puppeteer/browsers';

const CACHE = join(homedir(), '.cache', 'puppeteer');

/** In order: Chromium, Chrome for Testing, Chrome. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const ADVICE =
  'No browser could be found or installed. Install Chromium or Chrome 141 or later and set CHROME_PATH to its program.';

/**
 * The path of a browser to run Pagehand in: what CHROME_PATH says, else an installed one, else one
 * that is installed now (Debian's package as root, Chrome for Testing elsewhere). Throws, saying
 * what to do, when none of that works.
 */
export async function findBrowser(): Promise<string> {
  const named = process.env['CHROME_PATH'];
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROME_PATH names ${named}, where there is no file. Unset it or correct it.`);
  }
  return PLACES.find((place) => existsSync(place)) ?? (await cached()) ?? (await get());
}

async function cached(): Promise<string | undefined> {
  const installed = await getInstalledBrowsers({ cacheDir: CACHE });
  return installed.find((one) => one.browser === Browser.CHROME)?.executablePath;
}

async function get(): Promise<string> {
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    console.log('No browser found: installing Debian’s Chromium (apt-get install chromium).');
    const apt = (...command: string[]) =>
      spawnSync('apt-get', command, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      }).status === 0;
    const done =
      apt('update', '-qq') &&
      apt('install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation');
    if (done && existsSync('/usr/bin/chromium')) return '/usr/bin/chromium';
  }
  const platform = detectBrowserPlatform();
  if (!platform) throw new Error(`${ADVICE} (Unknown platform: ${process.platform}.)`);
  try {
    console.log(`No browser found: downloading Chrome for Testing into ${CACHE}.`);
    const buildId = await resolveBuildId(Browser.CHROME, platform, 'stable');
    await install({ browser: Browser.CHROME, buildId, cacheDir: CACHE, platform });
    return computeExecutablePath({ browser: Browser.CHROME, buildId, cacheDir: CACHE, platform });
  } catch (error) {
    throw new Error(`${ADVICE} (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** Flags every run needs: no background traffic, and no sandbox where root forbids it. */
export const BROWSER_FLAGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
