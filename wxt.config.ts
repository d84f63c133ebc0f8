import preact from '@preact/preset-vite';
import { defineConfig } from 'wxt';

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
      extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self';",
    },
  },
  vite: () => ({
    plugins: [preact()],
    // web-llm is one 6 MB chunk that cannot be split; it is loaded only when that engine is chosen.
    build: { chunkSizeWarningLimit: 7000 },
  }),
});
