import { isRecord } from '../own-data';
import { fail } from './error';

/** Fails with `ERR_TOOL_ROUTER_OPTION` unless `options` is an object; `what` names it. */
export function requireOptions(options: unknown, what: string): void {
  if (!isRecord(options)) fail('ERR_TOOL_ROUTER_OPTION', `${what} must be an object`);
}

/** The whole number of an option, `fallback` where it is not given. */
export function integerOption(
  value: number | undefined,
  fallback: number,
  name: string,
  least: number,
  most: number,
): number {
  if (value === undefined) return fallback;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  return fail(
    'ERR_TOOL_ROUTER_OPTION',
    `${name} must be an integer between ${least} and ${most}, got ${String(value)}`,
  );
}

/** The number of an option, `fallback` where it is not given. */
export function numberOption(
  value: number | undefined,
  fallback: number,
  name: string,
  least: number,
  most: number,
): number {
  if (value === undefined) return fallback;
  if (typeof value === 'number' && value >= least && value <= most) return value;
  return fail(
    'ERR_TOOL_ROUTER_OPTION',
    `${name} must be a finite number between ${least} and ${most}, got ${String(value)}`,
  );
}

/** One string or a list of them, as a list; `undefined` where nothing is given. */
export function listOption(
  value: string | readonly string[] | undefined,
  name: string,
): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const list: unknown = typeof value === 'string' ? [value] : value;
  if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  return fail('ERR_TOOL_ROUTER_OPTION', `${name} must be a string or a list of strings`);
}

/** A token budget: at least 1, endless where not given. */
export function budgetOption(tokens: number | undefined): number {
  const most = Number.MAX_SAFE_INTEGER;
  return tokens === undefined
    ? Number.POSITIVE_INFINITY
    : integerOption(tokens, most, 'maxEstimatedTokens', 1, most);
}
