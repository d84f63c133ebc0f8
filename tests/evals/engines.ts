import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Engine } from '../../lib/agent/engine';
import { createInstant } from '../../lib/engines/instant';
import { read } from './reader';

/**
 * The engine of a name: `instant`, `rules` (the same without its reader), or the path of a module that exports `createEngine()`. Everything
 * that the instant engine needs from outside is handed to it here and nowhere else.
 */
export async function createNamedEngine(name: string): Promise<Engine> {
  if (name === 'instant') return createInstant({ read });
  // The fallback of the engine, for comparison.
  if (name === 'rules') return createInstant();
  if (!/[./]/.test(name)) {
    throw new Error(
      `The engine "${name}" needs a browser. Here run "instant", or the path of a module that exports createEngine().`,
    );
  }
  const loaded: { createEngine?: () => Engine | Promise<Engine> } = await import(
    pathToFileURL(resolve(name)).href
  );
  if (!loaded.createEngine) throw new Error(`${name} exports no createEngine().`);
  return await loaded.createEngine();
}
