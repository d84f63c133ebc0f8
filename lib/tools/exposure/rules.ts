import type { Words } from '../../said/said';
import type { ModelNames } from '../names';
import { guardSchema } from '../schema/guard';
import type { Exposure, JsonSchema, PageTool, ToolDescriptor } from '../tool';
import type { DecidedBy, OwnTool, ToolEntry } from './entry';
import { fingerprint } from './fingerprint';
import { sameJson } from './same';

/** What is set for a site; the settings of an origin fit as they are. */
export interface SiteExposure {
  /** `auto`: direct while they fit; `always`: deferred; `never`: direct, as long as the window holds them. */
  defer: 'auto' | 'always' | 'never';
  /** The user's choice, by the tool's own name. */
  tools: Readonly<Record<string, Exposure>>;
  recipe?: { exposure?: Readonly<Record<string, Exposure>> | undefined } | undefined;
}

export const DEFAULT_SITE: SiteExposure = { defer: 'auto', tools: {} };

export interface ExposureRules {
  /** The rules of the origin that registered the tool. */
  site: (origin: string) => SiteExposure;
  names: ModelNames;
  /** The entries of the step before: what did not change is not read again. */
  previous?: readonly ToolEntry[] | undefined;
}

/**
 * Each tool with its exposure and who decided it, in the order given. A page's claim that a tool is
 * for developers and a schema that cannot be offered outrank everything; then the user, the site's
 * recipe, the site's switch; a tool nobody spoke about is direct.
 */
export function exposeTools(
  tools: readonly PageTool[],
  own: readonly OwnTool[],
  rules: ExposureRules,
): ToolEntry[] {
  const sites = new Map<string, SiteExposure>();
  const siteOf = (origin: string): SiteExposure => {
    const known = sites.get(origin);
    if (known !== undefined) return known;
    const site = rules.site(origin);
    sites.set(origin, site);
    return site;
  };
  const before = new Map(rules.previous?.map((entry) => [entry.key, entry]));
  const entries = own.map((tool) => ownEntry(tool));
  for (const tool of tools) {
    const name = rules.names.byKey.get(tool.key);
    // A key listed twice has one name and one entry.
    if (name === undefined || rules.names.byName.get(name) !== tool.key) continue;
    const read = readTool(tool, name, before.get(tool.key));
    entries.push(pageEntry(tool, name, read, siteOf(tool.origin)));
  }
  return entries;
}

function ownEntry(tool: OwnTool): ToolEntry {
  const ownSchema = tool.inputSchema ?? { type: 'object', properties: {} };
  return {
    key: tool.key,
    name: tool.name,
    exposure: 'direct',
    by: 'pagehand',
    reason: 'a tool of Pagehand’s own',
    schema: ownSchema,
    notes: [],
    print: printOf(tool, tool.name, ownSchema),
    source: 'pagehand',
    tool,
  };
}

/** What a tool's declaration comes to, whatever is decided about it. */
interface ReadTool {
  schema: JsonSchema;
  notes: string[];
  print: string;
  /** Why it cannot be offered; absent where it can. */
  refusal?: Words | undefined;
}

function readTool(tool: PageTool, name: string, before: ToolEntry | undefined): ReadTool {
  if (before?.name === name && isSameDeclaration(tool, before.tool)) {
    const { schema, notes, print, by, reason, said } = before;
    return { schema, notes, print, refusal: by === 'schema' ? { text: reason, said } : undefined };
  }
  const guarded = guardSchema(tool.inputSchema);
  const schema = guarded.ok ? guarded.schema : OPEN;
  const print = printOf(tool, name, schema);
  return guarded.ok
    ? { schema, notes: guarded.notes, print }
    : {
        schema,
        notes: [],
        print,
        refusal: { text: `not offered: ${guarded.reason}`, said: guarded.said },
      };
}

const isSameDeclaration = (a: ToolDescriptor, b: ToolDescriptor): boolean =>
  a.description === b.description && a.title === b.title && sameJson(a.inputSchema, b.inputSchema);

function pageEntry(tool: PageTool, name: string, read: ReadTool, site: SiteExposure): ToolEntry {
  const { schema, notes, print, refusal } = read;
  const decision =
    refusal === undefined
      ? decide(tool, site)
      : { ...decided('hidden', 'schema', refusal.text), said: refusal.said };
  return { key: tool.key, name, ...decision, schema, notes, print, source: 'page', tool };
}

const OPEN: JsonSchema = { type: 'object' };

function printOf(tool: ToolDescriptor, name: string, schema: JsonSchema): string {
  return fingerprint([name, tool.title ?? '', tool.description, schema]);
}

type Decision = Pick<ToolEntry, 'exposure' | 'by' | 'reason' | 'said'>;
const decided = (exposure: Exposure, by: DecidedBy, reason: string): Decision => ({
  exposure,
  by,
  reason,
});

function decide(tool: PageTool, site: SiteExposure): Decision {
  if (tool.annotations?.debugging === true) {
    return decided('hidden', 'page', 'the page marks it as a tool for developers');
  }
  const user = ownOf(site.tools, tool.name);
  if (user !== undefined) return decided(user, 'user', `you set it to ${user}`);
  const recipe = ownOf(site.recipe?.exposure ?? {}, tool.name);
  if (recipe !== undefined) return decided(recipe, 'recipe', `this site’s recipe says ${recipe}`);
  if (site.defer === 'always') {
    return decided('deferred', 'site', 'this site’s tools are set to be deferred');
  }
  if (site.defer === 'never') {
    return decided('direct', 'site', 'this site’s tools are set never to be deferred');
  }
  return decided('direct', 'default', 'direct while there is room');
}

function ownOf(record: Readonly<Record<string, Exposure>>, name: string): Exposure | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
