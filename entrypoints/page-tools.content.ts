import { defineContentScript } from 'wxt/utils/define-content-script';
import { startContent } from '../lib/page/content';

export default defineContentScript({
  matches: ['<all_urls>'],
  allFrames: true,
  matchAboutBlank: true,
  matchOriginAsFallback: true,
  // Not at document_start: an isolated world made before a <meta> origin-trial token is parsed never
  // gets document.modelContext.
  runAt: 'document_end',
  main: startContent,
});
