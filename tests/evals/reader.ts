import { readFile } from 'node:fs/promises';
import type { Read } from '../../lib/engines/instant/understand';
import { createNetwork } from '../../lib/reader/network';
import { createReader, type Reader } from '../../lib/reader/read';

const file = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../public/reader/${name}`, import.meta.url));

/** The packaged reader, in this process. */
export async function packagedReader(): Promise<Reader> {
  const [weights, kernel] = await Promise.all([file('weights.bin'), file('kernel.wasm')]);
  return createReader(await createNetwork(new Uint8Array(weights).buffer, new Uint8Array(kernel)));
}

let loaded: Promise<Reader> | undefined;

/** Reads as the extension does, without a worker. */
export const read: Read = async (request, earlier, tools) => {
  loaded ??= packagedReader();
  return (await loaded).read(request, earlier, tools);
};
