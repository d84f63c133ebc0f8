import { fail } from './error';
import type { NormalizedTool } from './formats';
import { listOption } from './option-checks';

/** Which tools take part in a search. All given conditions must hold. */
export interface ToolFilters<T = unknown> {
  ids?: string | readonly string[];
  /** Any of these. */
  namespaces?: string | readonly string[];
  /** All of these. */
  tags?: string | readonly string[];
  /** Any of these. */
  formats?: string | readonly string[];
  filter?(record: NormalizedTool<T>): boolean;
}

/** One test out of all conditions; throws `ERR_TOOL_ROUTER_OPTION` for a malformed one. */
export function compileFilter<T>(filters: ToolFilters<T>): (record: NormalizedTool<T>) => boolean {
  const ids = setOf(filters.ids, 'filters.ids');
  const namespaces = setOf(filters.namespaces, 'filters.namespaces');
  const tags = setOf(filters.tags, 'filters.tags');
  const formats = setOf(filters.formats, 'filters.formats');
  const { filter } = filters;
  if (filter !== undefined && typeof filter !== 'function') {
    fail('ERR_TOOL_ROUTER_OPTION', 'filter must be a function');
  }
  return (record) =>
    (ids?.has(record.id) ?? true) &&
    (namespaces?.has(record.namespace) ?? true) &&
    (formats?.has(record.format) ?? true) &&
    (tags === undefined || hasAll(record.tags, tags)) &&
    (filter?.(record) ?? true);
}

const setOf = (value: string | readonly string[] | undefined, name: string) => {
  const list = listOption(value, name);
  return list === undefined ? undefined : new Set(list);
};

const hasAll = (list: readonly string[], wanted: ReadonlySet<string>): boolean =>
  [...wanted].every((item) => list.includes(item));
