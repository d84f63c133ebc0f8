import { boundJson } from '../../lib/tools/bound-json';
import type { JsonValue } from '../../lib/tools/tool';

/** Far beyond what anybody reads; deeper or more than this stands as `…`. */
const BOUNDS = { depth: 100, nodes: 20_000, instead: '…' };

/** Event fields typed `unknown` hold JSON; what does not is shown as nothing rather than trusted. */
export function asJson(value: unknown): JsonValue {
  return boundJson(value, BOUNDS).value;
}
