import { isRecord, ownValue } from '../../tools/own-data';

/** A node of a guarded schema: no prototype, so that every key is a keyword. */
export type GuardedNode = { [keyword: string]: unknown };

/** Keywords that hold one schema. */
export const ONE: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
]);
/** Keywords that hold schemas by name. */
export const TABLE: ReadonlySet<string> = new Set([
  'properties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/**
 * A reference must be local and lead to a node of the copy; what does not is taken out. True where
 * there was one.
 */
export function dropDeadReferences(root: GuardedNode): boolean {
  let dropped = false;
  visit(root, (node) => {
    const ref = node['$ref'];
    if (ref === undefined) return;
    if (typeof ref === 'string' && resolveReference(root, ref) !== undefined) return;
    delete node['$ref'];
    dropped = true;
  });
  return dropped;
}

/** The node a local JSON pointer names, or `undefined`. */
export function resolveReference(
  root: GuardedNode,
  ref: string,
): GuardedNode | boolean | undefined {
  if (ref === '#' || ref === '#/') return root;
  if (!ref.startsWith('#/') || ref.length > 500) return undefined;
  let at: unknown = root;
  for (const raw of ref.slice(2).split('/')) {
    if (typeof at !== 'object' || at === null) return undefined;
    let name: string;
    try {
      name = decodeURIComponent(raw).replaceAll('~1', '/').replaceAll('~0', '~');
    } catch {
      return undefined;
    }
    at = ownValue(at, name);
  }
  if (typeof at === 'boolean') return at;
  return isGuarded(at) ? at : undefined;
}

const isGuarded = (value: unknown): value is GuardedNode =>
  isRecord(value) && Object.getPrototypeOf(value) === null;

/** Every node of a guarded schema once, parents first. */
function visit(root: GuardedNode, look: (node: GuardedNode) => void): void {
  const stack: GuardedNode[] = [root];
  while (stack.length > 0) {
    const node = stack.pop();
    if (node === undefined) return;
    look(node);
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (TABLE.has(key) && isGuarded(value)) {
        for (const inner of Object.values(value)) if (isGuarded(inner)) stack.push(inner);
      } else if (Array.isArray(value)) {
        for (const inner of value) if (isGuarded(inner)) stack.push(inner);
      } else if ((ONE.has(key) || key === 'items') && isGuarded(value)) {
        stack.push(value);
      }
    }
  }
}
