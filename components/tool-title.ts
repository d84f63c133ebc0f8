import { shownName } from '../lib/tools/text/untrusted';

/** A tool by the name people know it by: its title, else its name as words. One line, cleaned. */
export function toolTitle({ name, title }: { name: string; title?: string | undefined }): string {
  return shownName(title || '') || shownName(humanName(name)) || shownName(name);
}

/** `search_products` and `searchProducts` as people write them: "Search products". */
export function humanName(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
