import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = resolve(import.meta.dirname, '..');
const PARTS = ['tools', 'calls', 'agent', 'router'] as const;

export interface DocumentedFunction {
  part: string;
  name: string;
  /** As declared, without its body. */
  signature: string;
  /** The doc comment as prose. */
  comment: string;
  example: string;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Every function that the library's entries export, in their order. Throws where one lacks its words or its example. */
export function libraryFunctions(): DocumentedFunction[] {
  return PARTS.flatMap((part) =>
    [...read(`library/${part}.ts`).matchAll(/export \{([^}]*)\} from '([^']+)'/g)].flatMap(
      ([, names = '', from = '']) => {
        const source = read(join('library', `${from}.ts`));
        return names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => /^[a-z]/.test(name) && !name.startsWith('type '))
          .map((name) => documented(part, name, source));
      },
    ),
  );
}

function documented(part: string, name: string, source: string): DocumentedFunction {
  const start = source.search(new RegExp(`^export (async )?(function|const) ${name}\\b`, 'm'));
  if (start < 0) throw new Error(`pagehand/${part} exports ${name}, which is not where it says.`);
  const signature =
    /^export [\s\S]*?(?=( \{|\s*=>.*)$| = \()/m.exec(source.slice(start))?.[0] ?? '';
  const comment = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, start))?.[1];
  if (comment === undefined) throw new Error(`${name} has no doc comment.`);
  return { part, name, signature, comment: prose(comment), example: exampleOf(name) };
}

function exampleOf(name: string): string {
  try {
    return read(`library/examples/${name}.ts`).trim();
  } catch {
    throw new Error(`${name} has no example: write library/examples/${name}.ts.`);
  }
}

const prose = (comment: string): string =>
  comment
    .replace(/^[ \t]*\* ?/gm, '')
    .replace(/\{@link ([^}]+)\}/g, '`$1`')
    .replace(/^@param (\w+) /gm, '\n- `$1`: ')
    .replace(/\n(?!\n|- )/g, (line, at: number, all: string) => (all[at - 1] === '\n' ? line : ' '))
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** The text of `docs/library.md`. */
export function libraryDocs(): string {
  const chapters = PARTS.map((part) => {
    const entries = libraryFunctions().filter((one) => one.part === part);
    const texts = entries.map(
      ({ name, signature, comment, example }) =>
        `### \`${name}\`\n\n${comment}\n\n\`\`\`ts\n${signature.replace(/^export (async )?/, '')}\n\`\`\`\n\n\`\`\`ts\n${example}\n\`\`\`\n`,
    );
    return `## \`pagehand/${part}\`\n\n${texts.join('\n')}`;
  });
  return `${read('library/introduction.md').trim()}\n\n${chapters.join('\n')}`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(join(ROOT, 'docs/library.md'), libraryDocs());
}
