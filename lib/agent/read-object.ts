import { newRepairBudget, readJson } from '../calls/lenient-json';
import { isRecord, type UnknownRecord } from '../tools/own-data';

/** The first JSON object of a reply that was to be one, with words around it or slips mended. */
export function readObject(raw: string): UnknownRecord | undefined {
  const start = raw.indexOf('{');
  if (start < 0) return undefined;
  const value = readJson(raw.slice(start), newRepairBudget())?.value;
  return isRecord(value) ? value : undefined;
}
