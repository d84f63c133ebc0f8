import { defineContentScript } from 'wxt/utils/define-content-script';
import { startInspector } from '../lib/page/inspector/main';

// Put in only while a DevTools panel of Pagehand is open (`lib/page/scripts.ts`).
export default defineContentScript({
  matches: ['<all_urls>'],
  allFrames: true,
  matchAboutBlank: true,
  matchOriginAsFallback: true,
  runAt: 'document_start',
  world: 'MAIN',
  registration: 'runtime',
  main: startInspector,
});
