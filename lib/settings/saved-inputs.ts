import type { browser } from 'wxt/browser';
import * as z from 'zod';
import type { JsonObject } from '../tools/tool';

/** Arguments of a tool that the user kept under a name. */
export interface SavedInput {
  toolName: string;
  label: string;
  arguments: JsonObject;
}

const Inputs = z.array(
  z.object({
    toolName: z.string(),
    label: z.string(),
    arguments: z.record(z.string(), z.json()),
  }),
);

/** As much of `chrome.storage.local` as this needs. */
interface Area {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
}

/** Arguments kept for a site's tools; none where what is stored does not fit. */
export async function readInputs(area: Area, origin: string): Promise<SavedInput[]> {
  const key = keyOf(origin);
  const read = Inputs.safeParse((await area.get(key))[key]);
  return read.success ? read.data : [];
}

export async function writeInputs(
  area: Area,
  origin: string,
  inputs: readonly SavedInput[],
): Promise<void> {
  await area.set({ [keyOf(origin)]: inputs });
}

/** Forgets the inputs of every site. */
export async function forgetInputs(
  area: Pick<typeof browser.storage.local, 'getKeys' | 'remove'>,
): Promise<void> {
  await area.remove((await area.getKeys()).filter((key) => key.startsWith(PREFIX)));
}

const PREFIX = 'devtools-inputs ';

function keyOf(origin: string): string {
  return `${PREFIX}${origin}`;
}
