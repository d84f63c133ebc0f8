import { defineContentScript } from 'wxt/utils/define-content-script';
import { startRelay } from '../lib/page/inspector/relay';

// Put into the documents of an inspected tab, and never at document_start, for the reason given in
// page-tools.
export default defineContentScript({
  matches: ['<all_urls>'],
  allFrames: true,
  matchAboutBlank: true,
  matchOriginAsFallback: true,
  runAt: 'document_idle',
  registration: 'runtime',
  main: startRelay,
});
