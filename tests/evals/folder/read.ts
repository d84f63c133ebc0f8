import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FolderCase } from './case';
import { readCasesJson } from './cases-json';
import { readWritten } from './written';

/** Every case of a folder: of its `cases.json`, else of its `.txt` files. Throws in words what is wrong. */
export function readFolder(folder: string): FolderCase[] {
  const file = join(folder, 'cases.json');
  if (existsSync(file)) return readCasesJson(readFileSync(file, 'utf8'));
  const names = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.txt'))
    : [];
  if (names.length === 0) throw new Error(`${folder} has neither a cases.json nor a .txt file.`);
  return names
    .sort()
    .flatMap((name) =>
      readWritten(basename(name, '.txt'), readFileSync(join(folder, name), 'utf8')),
    );
}
