import { cutText } from './text/cut';

/** The longest name all known models and providers take. */
const MAX_NAME = 64;
const VALID = /^[A-Za-z0-9_-]{1,64}$/;

/** The least that naming needs of a tool. */
export interface Nameable {
  key: string;
  name: string;
  /** 0 is the page itself; its tools keep their plain names before those of frames. */
  frameId?: number;
}

/** Names as the model sees them, both ways. */
export interface ModelNames {
  byKey: ReadonlyMap<string, string>;
  byName: ReadonlyMap<string, string>;
}

export interface NamingOptions {
  /** The names of the step before: a tool that lives on keeps its name, whatever came or went beside it. */
  previous?: ModelNames;
  /** Names that no tool of a page may have, such as those of Pagehand's own tools. */
  reserved?: ReadonlySet<string>;
}

/**
 * One name per tool, unique across frames, within `[A-Za-z0-9_-]` and 64 characters. A valid and
 * unique name stays as the page wrote it; others are spelled in ASCII and numbered
 * (`search`, `search_2`). The same tools give the same names.
 */
export function modelNames(tools: readonly Nameable[], options: NamingOptions = {}): ModelNames {
  const naming: Naming = {
    byKey: new Map(),
    byName: new Map(),
    reserved: options.reserved ?? new Set(),
    next: new Map(),
  };
  const unnamed: Nameable[] = [];
  for (const tool of tools) {
    const known = options.previous?.byKey.get(tool.key);
    if (known === undefined || !claim(naming, known, tool.key)) unnamed.push(tool);
  }
  unnamed.sort(pageFirst);
  const crowded = unnamed.filter(
    (tool) => !VALID.test(tool.name) || !claim(naming, tool.name, tool.key),
  );
  for (const tool of crowded) claimNumbered(naming, asciiName(tool.name), tool.key);
  return { byKey: naming.byKey, byName: naming.byName };
}

function pageFirst(a: Nameable, b: Nameable): number {
  const frames = (a.frameId ?? 0) - (b.frameId ?? 0);
  return frames !== 0 ? frames : a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}

interface Naming {
  byKey: Map<string, string>;
  byName: Map<string, string>;
  reserved: ReadonlySet<string>;
  /** Where numbering of a base name goes on: keeps a thousand equal names linear. */
  next: Map<string, number>;
}

/** False where the name is taken or the tool has one already. */
function claim(naming: Naming, name: string, key: string): boolean {
  if (naming.byName.has(name) || naming.reserved.has(name) || naming.byKey.has(key)) return false;
  naming.byName.set(name, key);
  naming.byKey.set(key, name);
  return true;
}

function claimNumbered(naming: Naming, base: string, key: string): void {
  if (naming.byKey.has(key) || claim(naming, base, key)) return;
  let number = naming.next.get(base) ?? 2;
  while (!claim(naming, numbered(base, number), key)) number++;
  naming.next.set(base, number + 1);
}

function numbered(base: string, number: number): string {
  const suffix = `_${number}`;
  return base.slice(0, MAX_NAME - suffix.length) + suffix;
}

/** A name in ASCII letters, digits, `_` and `-`; `tool` where nothing of it can be spelled so. */
/** A name as a prompt may repeat it: as it is where it is valid, else in letters that say nothing more. */
export const plainName = (name: string): string => (VALID.test(name) ? name : asciiName(name));

function asciiName(name: string): string {
  const ascii = cutText(name, 4 * MAX_NAME)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, MAX_NAME)
    .replace(/^_+|_+$/g, '');
  return ascii === '' ? 'tool' : ascii;
}
