import { defineContentScript } from 'wxt/utils/define-content-script';
import { startMain } from '../lib/page/main-world';

// In place of page-shim where the user switched that off: provides nothing, reads what is there.
export default defineContentScript({
  matches: ['<all_urls>'],
  allFrames: true,
  matchAboutBlank: true,
  matchOriginAsFallback: true,
  runAt: 'document_start',
  world: 'MAIN',
  registration: 'runtime',
  main: () => startMain(),
});
