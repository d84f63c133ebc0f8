import { isRecord, ownValue } from '../../tools/own-data';
import { type GuardedNode, resolveReference } from './references';

const MAX_PAIRS = 20_000;

/**
 * How many checks a validator would make of `value` against the schema if nothing cut it short, or
 * `Infinity` where a reference leads back to itself without moving on in the value. Counted over
 * pairs of schema and value, each once, so that counting is cheap where checking would not be.
 */
export function checksNeeded(root: GuardedNode, value: unknown): number {
  const known = new Map<GuardedNode, Map<unknown, number>>();
  let pairs = 0;

  function count(node: unknown, at: unknown): number {
    if (!isRecord(node)) return 1;
    const schema = node as GuardedNode;
    const seen = known.get(schema) ?? new Map<unknown, number>();
    known.set(schema, seen);
    // Scalars share a pair: the checks do not depend on which one it is.
    const key = typeof at === 'object' && at !== null ? at : 'scalar';
    const before = seen.get(key);
    if (before !== undefined) return before;
    if (++pairs > MAX_PAIRS) return Number.POSITIVE_INFINITY;
    // Met again before it is done, the pair would never be done.
    seen.set(key, Number.POSITIVE_INFINITY);
    const sum = 1 + here(schema, at) + below(schema, at);
    seen.set(key, sum);
    return sum;
  }

  function here(node: GuardedNode, at: unknown): number {
    let sum = 0;
    const ref = node['$ref'];
    if (typeof ref === 'string') sum += count(resolveReference(root, ref), at);
    for (const key of ['not', 'if', 'then', 'else']) sum += count(node[key], at);
    for (const key of ['allOf', 'anyOf', 'oneOf']) {
      const list = node[key];
      if (Array.isArray(list)) for (const item of list) sum += count(item, at);
    }
    const dependent = node['dependentSchemas'];
    if (isRecord(dependent)) for (const inner of Object.values(dependent)) sum += count(inner, at);
    const choices = node['enum'];
    if (Array.isArray(choices)) sum += choices.length;
    return sum;
  }

  function below(node: GuardedNode, at: unknown): number {
    let sum = 0;
    if (Array.isArray(at)) {
      const prefix = Array.isArray(node['prefixItems']) ? node['prefixItems'] : [];
      for (const [index, item] of at.entries()) {
        sum += count(prefix[index], item) + count(node['items'], item);
        for (const key of ['additionalItems', 'unevaluatedItems', 'contains']) {
          sum += count(node[key], item);
        }
      }
      if (node['uniqueItems'] === true) sum += at.length * at.length;
    } else if (isRecord(at)) {
      const properties = node['properties'];
      for (const name of Object.keys(at)) {
        const inner = ownValue(at, name);
        if (isRecord(properties)) sum += count(ownValue(properties, name), inner);
        for (const key of ['additionalProperties', 'unevaluatedProperties']) {
          sum += count(node[key], inner);
        }
        sum += count(node['propertyNames'], name);
      }
    }
    return sum;
  }

  return count(root, value);
}
