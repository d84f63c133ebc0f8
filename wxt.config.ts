import preact from '@preact/preset-vite';
import type { Plugin } from 'vite';
import { defineConfig } from 'wxt';

// WXT wraps isolated content scripts into a context and a logger that cost 4 kB on every page. Ours
// needs neither.
const bareContentScripts: Plugin = {
  name: 'bare-content-scripts',
  enforce: 'pre',
  load(id) {
    const [, script] = id.split('virtual:wxt-content-script-isolated-world-entrypoint?');
    return script ? `import script from ${JSON.stringify(script)}; script.main();` : undefined;
  },
};

/** The page that downloads models. Every other one shows what pages wrote, and connects to nobody. */
const CONNECTS = /[\\/]entrypoints[\\/]host[\\/]/;

const closedViews: Plugin = {
  name: 'closed-views',
  transformIndexHtml: (_, { filename }) =>
    CONNECTS.test(filename)
      ? []
      : [
          {
            tag: 'meta',
            attrs: { 'http-equiv': 'Content-Security-Policy', content: "connect-src 'self'" },
            injectTo: 'head-prepend',
          },
        ],
};

function contentPolicy(directives: Record<string, string>): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources};`)
    .join(' ');
}

export default defineConfig({
  imports: false,
  modules: ['@wxt-dev/webextension-polyfill'],
  manifest: {
    name: '__MSG_extensionName__',
    description: '__MSG_extensionDescription__',
    default_locale: 'en',
    // Memory64 and JSPI, which the packaged llama.cpp needs, arrived with Chrome 137; the side panel's close() with 141.
    minimum_chrome_version: '141',
    permissions: [
      'offscreen',
      'sidePanel',
      'storage',
      'unlimitedStorage',
      'scripting',
      'tabs',
      'webNavigation',
    ],
    host_permissions: ['<all_urls>'],
    action: { default_title: '__MSG_actionTitle__' },
    commands: { _execute_action: { suggested_key: { default: 'Ctrl+Shift+Y' } } },
    content_security_policy: {
      extension_pages: contentPolicy({
        'default-src': "'self'",
        'script-src': "'self' 'wasm-unsafe-eval'",
        'object-src': "'none'",
        'style-src': "'self' 'unsafe-inline'",
        'img-src': "'self' data:",
        // Models come from their publishers, from a mirror, or from where the user says: no list can name
        // them all. Views may not connect at all, see `closedViews`.
        'connect-src': "'self' https: http://localhost:* http://127.0.0.1:*",
        'base-uri': "'none'",
        'form-action': "'none'",
        'frame-ancestors': "'self' devtools:",
      }),
    },
    // Isolated pages may share memory between threads, which llama.cpp computes with.
    cross_origin_embedder_policy: { value: 'require-corp' },
    cross_origin_opener_policy: { value: 'same-origin' },
  },
  vite: ({ command }) => ({
    // While developing, views hear of changes from a server.
    plugins: [preact(), bareContentScripts, ...(command === 'build' ? [closedViews] : [])],
    // web-llm is one 6 MB chunk that cannot be split; it is loaded only when that engine is chosen.
    build: { chunkSizeWarningLimit: 7000 },
  }),
});
