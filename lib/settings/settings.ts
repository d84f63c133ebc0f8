import * as z from 'zod';

const EngineIdSchema = z.enum(['instant', 'prompt-api', 'web-llm', 'wllama']);
const ExposureSchema = z.enum(['direct', 'deferred', 'hidden']);

/** What the user (or the site's developer) adds to a page's tools; see `docs/recipes.md`. */
export const Recipe = z.object({
  /** Tool name → names that must have run earlier in the turn. */
  requires: z.record(z.string(), z.array(z.string())).optional(),
  /** Tool name → fields of its result that the model gets to see. */
  outputFields: z.record(z.string(), z.array(z.string())).optional(),
  facts: z.record(z.string(), z.string()).optional(),
  exposure: z.record(z.string(), ExposureSchema).optional(),
});
export type Recipe = z.infer<typeof Recipe>;

/** Kept per origin; applied from the next step on. */
export const SiteSettings = z.object({
  /** `auto` defers when the direct set would exceed its share of the window. */
  defer: z.enum(['auto', 'always', 'never']).default('auto'),
  /** Tool name → how it reaches the model, over whatever `defer` says. */
  tools: z.record(z.string(), ExposureSchema).default({}),
  /** Whether the shim may provide WebMCP where the browser has none; absent = the global setting. */
  shim: z.boolean().optional(),
  recipe: Recipe.optional(),
});
export type SiteSettings = z.infer<typeof SiteSettings>;

/** An address that nobody on the way can change the answers of: the extension connects to no other. */
function isMirror(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return (
    protocol === 'https:' || (protocol === 'http:' && /^(?:localhost|127\.0\.0\.1)$/.test(hostname))
  );
}

export const Settings = z.object({
  engine: EngineIdSchema.default('instant'),
  /** Engine → chosen model. */
  models: z.partialRecord(EngineIdSchema, z.string()).default({}),
  ranking: z.enum(['router', 'seed']).default('router'),
  /** Keep exact prompts, queries and values in exported traces. */
  capture: z.boolean().default(false),
  shim: z.boolean().default(true),
  /** 0 keeps history for ever. */
  keepHistoryDays: z.number().int().min(0).max(3650).default(0),
  /** 0 never unloads. */
  unloadAfterMinutes: z.number().int().min(0).max(1440).default(15),
  /** Where models are downloaded from instead of their publishers: for companies and offline use. */
  modelBaseUrl: z.url().refine(isMirror).optional(),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** BCP 47, or absent for the browser's. */
  language: z.string().optional(),
  sites: z.record(z.string(), SiteSettings).default({}),
});
export type Settings = z.infer<typeof Settings>;

/** Settings of a site, with defaults where the user never touched it. */
export function siteSettings(settings: Settings, origin: string): SiteSettings {
  return (
    (Object.hasOwn(settings.sites, origin) ? settings.sites[origin] : undefined) ??
    SiteSettings.parse({})
  );
}
