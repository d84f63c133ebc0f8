import * as z from 'zod';
import type { JsonValue } from '../../../lib/tools/tool';
import { DEFAULT_MOMENT, type FolderCase, momentOf, type Wanted } from './case';
import { faultOf } from './matchers';

const Json = z.json();
const Call = z.strictObject({
  tool: z.string(),
  args: z.record(z.string(), Json).default({}),
  optional: z.boolean().optional(),
});
const Unordered = z.strictObject({ unordered: z.array(Call).min(1) });
const Calls = z.union([Unordered, z.array(z.union([Call, Unordered]))]);

const Case = z.object({
  id: z.string().min(1),
  kind: z.string().default('other'),
  request: z.string().min(1).max(20_000),
  prior: z
    .array(
      z.object({
        ask: z.string(),
        answer: z.string(),
        calls: z
          .array(
            z.object({
              name: z.string(),
              arguments: z.record(z.string(), Json),
              shown: z.string(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  expected: z.union([z.literal('ask'), Calls], {
    error: 'expected: is a list of calls, [], "ask" or { "unordered": [...] }',
  }),
  alts: z.array(Calls).nullish(),
  now: z.string().optional(),
  results: z.record(z.string(), Json).optional(),
});
type Case = z.infer<typeof Case>;

const Site = z.object({
  site: z.string().min(1),
  title: z.string().optional(),
  now: z.string().optional(),
  tools: z
    .array(
      z.object({
        name: z.string().min(1),
        title: z.string().optional(),
        description: z.string().default(''),
        inputSchema: z.record(z.string(), Json).nullish(),
        annotations: z.record(z.string(), z.boolean()).optional(),
      }),
    )
    .min(1),
  results: z.record(z.string(), Json).default({}),
  /** Each is read by itself, so that an error can name it. */
  cases: z.array(z.unknown()),
});
type Site = z.infer<typeof Site>;

/** Reads a `cases.json`. Throws in words, with the site and the case that are wrong. */
export function readCasesJson(text: string): FolderCase[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new Error(`cases.json is no JSON: ${String(error)}`);
  }
  const file = z.object({ sites: z.array(z.unknown()) }).safeParse(data);
  if (!file.success) throw new Error(`cases.json: ${z.prettifyError(file.error)}`);
  const cases = file.data.sites.flatMap((raw, i) => {
    const site = Site.safeParse(raw);
    if (!site.success) throw new Error(`${nameOf(raw, 'site', i)}: ${z.prettifyError(site.error)}`);
    return site.data.cases.map((one, j) => {
      const parsed = Case.safeParse(one);
      const name = `${site.data.site}: case ${nameOf(one, 'id', j)}`;
      if (!parsed.success) throw new Error(`${name}: ${z.prettifyError(parsed.error)}`);
      try {
        return caseOf(site.data, parsed.data);
      } catch (error) {
        throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
  });
  const twice = cases.find((one, i) => cases.findIndex(({ id }) => id === one.id) !== i);
  if (twice) throw new Error(`${twice.site}: two cases have the id "${twice.id}"`);
  return cases;
}

function nameOf(raw: unknown, key: 'id' | 'site', at: number): string {
  const named = z.looseObject({ [key]: z.string() }).safeParse(raw);
  return named.success ? String(named.data[key]) : `number ${at + 1}`;
}

function caseOf(site: Site, one: Case): FolderCase {
  const expected: FolderCase['expected'] =
    one.expected === 'ask'
      ? { type: 'ask', missing: [] }
      : Array.isArray(one.expected) && one.expected.length === 0
        ? { type: 'none' }
        : {
            type: 'calls',
            calls: groupsOf(one.expected),
            alts: (one.alts ?? []).map(groupsOf),
          };
  if (expected.type === 'calls') {
    for (const calls of [expected.calls, ...expected.alts]) checkCalls(site, calls);
  }
  const results = { ...site.results, ...one.results };
  return {
    id: one.id,
    site: site.site,
    kind: groupOfKind(one.kind),
    request: one.request,
    before: one.prior,
    expected,
    script: {
      origin: `https://${site.site}.example`,
      title: site.title ?? site.site,
      ...momentOf(one.now ?? site.now ?? DEFAULT_MOMENT),
      tools: site.tools.map(({ inputSchema, title, ...tool }) => ({
        ...tool,
        ...(title === undefined ? {} : { title }),
        ...(inputSchema ? { inputSchema } : {}),
      })),
      resultOf: (tool, nth) => resultOf(Object.hasOwn(results, tool) ? results[tool] : null, nth),
      before: one.prior,
      turns: [{ ask: one.request }],
    },
  };
}

function groupsOf(calls: z.infer<typeof Calls>): Wanted {
  const list = Array.isArray(calls) ? calls : [calls];
  return list.map((one) => ('unordered' in one ? one.unordered : [one]));
}

/** A name that is not there would test nothing. */
function checkCalls(site: Site, calls: Wanted): void {
  for (const { tool, args } of calls.flat()) {
    const declared = site.tools.find(({ name }) => name === tool);
    if (!declared) throw new Error(`the site has no tool "${tool}"`);
    const schema = JSON.stringify(declared.inputSchema ?? {});
    for (const [argument, value] of Object.entries(args)) {
      if (!schema.includes(`${JSON.stringify(argument)}:`)) {
        throw new Error(`${tool} has no argument "${argument}"`);
      }
      const fault = faultOf(value);
      if (fault !== undefined) throw new Error(`${tool}, ${argument}: ${fault}`);
    }
  }
}

/** `{"$seq": [...]}` gives one result a call, the last again and again. */
function resultOf(result: JsonValue | undefined, nth: number): JsonValue {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result ?? null;
  const list = result['$seq'];
  return Array.isArray(list) ? (list[Math.min(nth, list.length) - 1] ?? null) : result;
}

const GROUPS: Readonly<Record<string, string>> = {
  value: 'values',
  date: 'dates',
  multi: 'several steps',
  typo: 'typos',
  cannot: 'must refuse',
  missing: 'must ask',
};

/** `eval:Find a dress` counts as `eval`; the other kinds have a name of their own in the table. */
function groupOfKind(kind: string): string {
  const [group = kind] = kind.split(':');
  return GROUPS[group] ?? group;
}
