/** Id of the input at a path; page-given names may hold anything. */
export function inputId(formId: string, path: readonly string[]): string {
  return `${formId}-${path.map(encodeURIComponent).join('-')}`;
}

export function pathKey(path: readonly string[]): string {
  return path.map((part) => part.replaceAll('/', '~1')).join('/');
}

/**
 * Whether a problem's written path (`a.b[0]`, `/a/b/0` or `a/b/0`) means this path. Names may hold the
 * marks that part them.
 */
export function samePath(written: string, path: readonly string[]): boolean {
  if (path.length > 0 && written === path.join('.')) return true;
  const parts = written
    .replace(/\[(\d+)\]/g, '.$1')
    .split(/[./]/)
    .filter((part) => part !== '');
  return parts.length === path.length && parts.every((part, index) => part === path[index]);
}
