import type { RawTool } from '../wire';

/** How long a tool that was told to stop may take to say what it had done by then. */
export const LINGER_MS = 800;

/**
 * One place where a page offers tools. `call` gives the tool's value as text or throws. A surface
 * is chosen by feature tests, never by version.
 */
export interface Surface {
  list(): Promise<RawTool[]>;
  call(tool: { name: string }, args: string, signal: AbortSignal): Promise<string | null>;
}
