import type { Plugin } from 'vite';

/**
 * Removes the addresses from which `@wllama/wllama` would load worker code on browsers without JSPI:
 * Pagehand never loads code, and a store reviewer should not have to believe it.
 */
export function stripRemoteCode(): Plugin {
  return {
    name: 'strip-remote-code',
    transform(code, id) {
      if (!/[\\/]@wllama[\\/]wllama[\\/]/.test(id)) return null;
      return code.replaceAll(/"https:\/\/cdn\.jsdelivr\.net[^"]*"/g, '""');
    },
  };
}
