import * as z from 'zod';
import type { Exchange } from '../../../lib/agent/options';
import { onlyReads } from '../../../lib/evals/measures';
import type { JsonObject, JsonValue } from '../../../lib/tools/tool';
import { type FolderCase, momentOf, type WantedCall } from './case';

const Tool = z.object({
  name: z.string().min(1),
  title: z.string().optional(),
  description: z.string().default(''),
  inputSchema: z.record(z.string(), z.json()).optional(),
  annotations: z.record(z.string(), z.boolean()).optional(),
});
type Tool = z.infer<typeof Tool>;

interface Argument {
  name: string;
  value: JsonValue;
  words?: string;
}
interface WrittenCall {
  tool: Tool;
  args: Argument[];
}
interface Prior {
  ask: string;
  calls: WrittenCall[];
  results: string[];
}
interface Written {
  line: number;
  request: string;
  prior: Prior[];
  calls: WrittenCall[];
  none: boolean;
  ask?: { call: WrittenCall; missing: string[] };
  conditions: string[];
}

/**
 * Reads a site written as plain text, see docs/evals.md. `slug` begins the ids of its cases, each
 * ends with the line it stands on. Throws with the line that is wrong.
 */
export function readWritten(slug: string, text: string): FolderCase[] {
  const head = { site: slug, trade: '', now: '' };
  const tools = new Map<string, Tool>();
  const written: Written[] = [];
  let prior: Prior[] = [];
  let open: Written | undefined;

  const readCall = (body: string) => {
    const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(body) ?? [];
    const tool = tools.get(name);
    if (!tool) throw new Error(`the site has no tool "${name}"`);
    const { args, missing } = readArguments(rest);
    for (const argument of [...args.map((one) => one.name), ...missing]) {
      if (!Object.hasOwn(propertiesOf(tool), argument)) {
        throw new Error(`${name} has no argument "${argument}"`);
      }
    }
    return { call: { tool, args }, missing };
  };

  const readLine = (line: string, number: number): void => {
    const field = /^(site|trade|now): *(.*)$/.exec(line);
    if (field && written.length === 0) {
      if (field[1] === 'site' || field[1] === 'trade' || field[1] === 'now') {
        head[field[1]] = field[2] ?? '';
      }
    } else if (line.startsWith('tool ')) {
      const tool = Tool.safeParse(JSON.parse(line.slice(5)));
      if (!tool.success) throw new Error(z.prettifyError(tool.error));
      if (tools.has(tool.data.name)) throw new Error(`the tool "${tool.data.name}" stands twice`);
      tools.set(tool.data.name, tool.data);
    } else if (line.startsWith('<>') || line.startsWith('<=')) {
      const last = prior.at(-1);
      if (!last) throw new Error('there is no "<" line before it');
      const body = line.slice(2).trim();
      if (line.startsWith('<=')) last.results.push(body);
      else if (body !== '') last.calls.push(readCall(body).call);
    } else if (line.startsWith('<')) {
      prior.push({ ask: line.slice(1).trim(), calls: [], results: [] });
    } else if (line.startsWith('?')) {
      const request = line.slice(1).trim();
      open = { line: number, request, prior, calls: [], none: false, conditions: [] };
      written.push(open);
      prior = [];
    } else if (!open) {
      throw new Error(`"${line.slice(0, 40)}" belongs to no request`);
    } else if (line.startsWith('~')) {
      open.conditions.push(line.slice(1).trim());
    } else if (line.startsWith('>')) {
      const body = line.slice(1).trim();
      if (body === 'none') open.none = true;
      else if (body.startsWith('ask ')) {
        open.ask = readCall(body.slice(4).trim());
        if (open.ask.missing.length === 0) throw new Error('ask: name what is missing');
      } else {
        const { call, missing } = readCall(body);
        if (missing.length > 0) throw new Error(`argument without value: ${missing.join(', ')}`);
        open.calls.push(call);
      }
    } else throw new Error(`"${line.slice(0, 40)}" begins like no line that is known`);
  };

  for (const [i, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '') {
      open = undefined;
      continue;
    }
    try {
      readLine(line, i + 1);
    } catch (error) {
      throw new Error(
        `${slug}, line ${i + 1}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
  return written.map((one) => {
    try {
      check(one);
      return caseOf(slug, head, [...tools.values()], one);
    } catch (error) {
      throw new Error(
        `${slug}, line ${one.line}: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  });
}

function check({ request, calls, none, ask }: Written): void {
  const parts = request.split('||').length;
  if (!none && !ask && calls.length === 0)
    throw new Error('nothing is expected: a ">" line is missing');
  if (none && calls.length > 0) throw new Error('both none and calls are expected');
  if (calls.length > 0 && calls.length !== parts) {
    throw new Error(`${parts} part(s) but ${calls.length} call(s): mark parts with ||`);
  }
}

function caseOf(
  slug: string,
  head: { site: string; trade: string; now: string },
  tools: Tool[],
  one: Written,
): FolderCase {
  const before = one.prior.map(exchangeOf);
  const request = plainRequest(one.request);
  // What a tool answered before it answers again; else reading finds nothing and changing succeeds.
  const results = new Map<string, JsonValue>(
    tools.map((tool) => [tool.name, onlyReads(tool) ? [] : { ok: true }]),
  );
  for (const exchange of before) {
    for (const call of exchange.calls ?? []) results.set(call.name, call.shown);
  }
  const expected: FolderCase['expected'] = one.none
    ? { type: 'none' }
    : one.ask
      ? { type: 'ask', missing: one.ask.missing }
      : { type: 'calls', calls: one.calls.map((call) => [wantedOf(call)]), alts: [] };
  return {
    id: `${slug}:${one.line}`,
    site: slug,
    kind: kindOf(one),
    request,
    before,
    expected,
    conditions: one.conditions,
    script: {
      origin: `https://${slug.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}.example`,
      title: head.site,
      ...momentOf(head.now === '' ? '2026-11-30T09:00' : head.now),
      tools,
      resultOf: (name) => results.get(name) ?? null,
      before,
      turns: [{ ask: request }],
    },
  };
}

const plainRequest = (text: string): string => text.replace(/\s*\|\|\s*/g, ' ').trim();

const argumentsOf = ({ args }: WrittenCall): JsonObject =>
  Object.fromEntries(args.map(({ name, value }) => [name, value]));

function wantedOf(call: WrittenCall): WantedCall {
  const words = call.args.flatMap(({ name, words }) =>
    words === undefined ? [] : [[name, words]],
  );
  return { tool: call.tool.name, args: argumentsOf(call), words: Object.fromEntries(words) };
}

/** An earlier turn: its n-th result belongs to its n-th call; a result without a call is the answer. */
function exchangeOf({ ask, calls, results }: Prior): Exchange {
  return {
    ask: plainRequest(ask),
    answer: calls.length === 0 ? results.join('\n') : '',
    calls: calls.map((call, i) => ({
      name: call.tool.name,
      arguments: argumentsOf(call),
      shown: results[i] ?? '',
    })),
  };
}

function kindOf({ none, ask, prior, calls, conditions }: Written): string {
  if (none) return 'must refuse';
  if (ask) return 'must ask';
  if (prior.length > 0) return 'follow-ups';
  if (calls.length > 1) return 'several steps';
  if (conditions.length > 0) return 'conditions';
  return calls.some((call) => call.args.length > 0) ? 'values' : 'simple';
}

function propertiesOf(tool: Tool): JsonObject {
  const properties = tool.inputSchema?.['properties'];
  return typeof properties === 'object' && properties !== null && !Array.isArray(properties)
    ? properties
    : {};
}

/** `name=VALUE{words} …` and bare names, with spaces or commas between them. */
function readArguments(text: string): { args: Argument[]; missing: string[] } {
  const args: Argument[] = [];
  const missing: string[] = [];
  let at = 0;
  while (true) {
    at += /^[ \t,]*/.exec(text.slice(at))?.[0].length ?? 0;
    if (at >= text.length) return { args, missing };
    const name = /^[\w.\-$[\]]+/.exec(text.slice(at))?.[0];
    if (name === undefined) throw new Error(`cannot read "${text.slice(at, at + 30)}"`);
    at += name.length;
    if (text[at] !== '=') {
      missing.push(name);
      continue;
    }
    at++;
    const isRead = text[at] === '@';
    if (isRead) at++;
    const end = endOfJson(text, at);
    const value = z.json().parse(JSON.parse(text.slice(at, end)));
    at = end;
    let words: string | undefined;
    if (text[at] === '{') {
      const close = text.indexOf('}', at);
      if (close < 0) throw new Error(`${name}: a } is missing`);
      words = text.slice(at + 1, close).trim();
      at = close + 1;
    }
    if (isRead && words === undefined) throw new Error(`${name}: @ needs {words}`);
    args.push({ name, value, ...(words === undefined ? {} : { words }) });
  }
}

/** Where the JSON value that begins at `from` ends: by quotes and brackets, its inside is JSON.parse's. */
function endOfJson(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === '\\') at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    // A brace right after a plain value opens the words it was read from.
    else if (depth === 0 && at > from && (char === '{' || /[\s,]/.test(char ?? ''))) return at;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    if (!quoted && depth === 0 && (char === '"' || char === '}' || char === ']')) return at + 1;
  }
  return text.length;
}
