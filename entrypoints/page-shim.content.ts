import { defineContentScript } from 'wxt/utils/define-content-script';
import { startMain } from '../lib/page/main-world';
import { installShim, watchDocument } from '../lib/page/shim/install';
import { legacyAlias } from '../lib/page/shim/legacy';
import { installTesting } from '../lib/page/shim/testing';

// Registered at run time (`lib/page/scripts.ts`): only so can a setting keep it from a site and
// still have it run before every script of the page.
export default defineContentScript({
  matches: ['<all_urls>'],
  allFrames: true,
  matchAboutBlank: true,
  matchOriginAsFallback: true,
  runAt: 'document_start',
  world: 'MAIN',
  registration: 'runtime',
  main: () => startMain({ installShim, watchDocument, legacyAlias, installTesting }),
});
