import { readdirSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { casesOf, EvalSite } from '../../lib/evals/format';

/** Fewer tools would leave nothing to choose from, more would be hard to read. */
const AuthoredSite = EvalSite.refine(({ tools }) => tools.length >= 6 && tools.length <= 20, {
  error: 'a site has 6 to 20 tools',
  path: ['tools'],
});

/** Reads and checks every site of a folder; throws with the file and the path of what is wrong. */
export function readSites(folder: URL): EvalSite[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const parsed = AuthoredSite.safeParse(
        JSON.parse(readFileSync(new URL(name, folder), 'utf8')),
      );
      if (!parsed.success) throw new Error(`${name}: ${z.prettifyError(parsed.error)}`);
      checkNames(name, parsed.data);
      return parsed.data;
    });
}

/** A case that names a tool or an argument that is not there tests nothing. */
function checkNames(file: string, site: EvalSite): void {
  const tools = new Map(site.tools.map((tool) => [tool.name, tool]));
  for (const one of casesOf(site)) {
    const named = [
      ...one.turns.flatMap((t) => [...t.calls.map((c) => c.tool), ...(t.lookups ?? [])]),
      ...one.mustNotCall,
      ...Object.keys(one.results),
    ];
    const unknown = named.find((name) => !tools.has(name));
    if (unknown !== undefined) throw new Error(`${file}: ${one.id} names no tool "${unknown}"`);
    for (const call of one.turns.flatMap((t) => t.calls)) {
      const schema = JSON.stringify(tools.get(call.tool)?.inputSchema);
      const stray = Object.keys({ ...call.args, ...call.optional }).find(
        (name) => !schema.includes(`"${name}":`),
      );
      if (stray !== undefined) {
        throw new Error(`${file}: ${one.id}: ${call.tool} has no argument "${stray}"`);
      }
    }
  }
}
