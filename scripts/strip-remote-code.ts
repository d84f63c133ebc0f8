import type { Plugin } from 'vite';

/**
 * Where packages would load code from at run time: worker code for browsers without JSPI (wllama), and
 * compiled models (web-llm). Pagehand uses the packaged copies only; without these addresses nobody has
 * to take that on trust.
 */
const ADDRESSES: readonly { package: RegExp; address: RegExp }[] = [
  { package: /[\\/]@wllama[\\/]wllama[\\/]/, address: /https:\/\/cdn\.jsdelivr\.net[^"]*/g },
  {
    package: /[\\/]@mlc-ai[\\/]web-llm[\\/]/,
    address: /https:\/\/raw\.githubusercontent\.com\/[^"]*/g,
  },
];

export function stripRemoteCode(): Plugin {
  return {
    name: 'strip-remote-code',
    transform(code, id) {
      const found = ADDRESSES.find((known) => known.package.test(id));
      return found ? code.replaceAll(found.address, '') : null;
    },
  };
}
