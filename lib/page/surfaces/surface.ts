import type { RawTool } from '../wire';

/**
 * One place where a page offers tools. `call` gives the tool's value as text or throws. A surface
 * is chosen by feature tests, never by version.
 */
export interface Surface {
  list(): Promise<RawTool[]>;
  call(tool: { name: string }, args: string, signal: AbortSignal): Promise<string | null>;
}
