import * as z from 'zod';
import type { EngineDescription, EngineId, LoadProgress, ModelChoice } from '../agent/engine';
import { AgentEvent } from '../agent/events';
import type { CallOutcome } from '../agent/ports';
import type { DialectId } from '../calls/dialect-id';
import { Listed, SaidField, Words } from '../said/said';
import type {
  Catalog,
  CompactTool,
  Exposure,
  FormTool,
  JsonObject,
  JsonValue,
  PageTool,
  Surface,
  ToolAnnotations,
} from '../tools/tool';

/**
 * What crosses borders and is declared in rooms that know of none, as schemas. Each names every field
 * of its type: what a schema does not name would be lost on the way.
 */
const objectOf =
  <T>() =>
  <S extends { [K in keyof Required<T>]: z.ZodType }>(shape: S) =>
    z.object(shape);
/** The same for the values of a union of words. */
const enumOf =
  <T extends string>() =>
  <const S extends { [K in T]: K }>(words: S) =>
    z.enum(words);

/** As it came: `z.json()` would leave out fields named `__proto__`, and the tool would be another one. */
export const Json = z.custom<JsonValue>(isJson, 'not JSON');
export const JsonRecord = z.custom<JsonObject>(
  (value) => isJson(value) && typeof value === 'object' && value !== null && !Array.isArray(value),
  'not a JSON object',
);

/** Without recursion: how deep it is is for the page to say. */
function isJson(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (next === null || typeof next === 'string' || typeof next === 'boolean') continue;
    if (typeof next === 'number' && Number.isFinite(next)) continue;
    if (typeof next !== 'object') return false;
    // One by one: a list may be longer than a call takes arguments.
    for (const entry of Array.isArray(next) ? next : Object.values(next)) left.push(entry);
  }
  return true;
}

/** A page tool: checked in shape, still hostile in content. */
export const ToolShape = objectOf<PageTool>()({
  key: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  inputSchema: JsonRecord.optional(),
  annotations: objectOf<ToolAnnotations>()({
    readOnlyHint: z.boolean().optional(),
    untrustedContentHint: z.boolean().optional(),
    consequentialHint: z.boolean().optional(),
    debugging: z.boolean().optional(),
  }).optional(),
  origin: z.string(),
  documentId: z.string(),
  frameId: z.number(),
  surface: enumOf<Surface>()({
    native: 'native',
    shim: 'shim',
    polyfill: 'polyfill',
    form: 'form',
  }),
  form: objectOf<FormTool>()({ waits: z.boolean(), buttons: z.array(z.string()) }).optional(),
}) satisfies z.ZodType<PageTool>;

export const CatalogShape = objectOf<Catalog>()({
  tabId: z.number(),
  url: z.string(),
  title: z.string(),
  tools: z.array(ToolShape),
  notes: z.array(Listed),
  obstacle: enumOf<NonNullable<Catalog['obstacle']>>()({
    restricted: 'restricted',
    reload: 'reload',
    asleep: 'asleep',
    'no-page': 'no-page',
  }).optional(),
}) satisfies z.ZodType<Catalog>;

export const CompactToolShape = objectOf<CompactTool>()({
  name: z.string(),
  description: z.string(),
  parameters: JsonRecord,
}) satisfies z.ZodType<CompactTool>;

export const ExposureShape = enumOf<Exposure>()({
  direct: 'direct',
  deferred: 'deferred',
  hidden: 'hidden',
});

type Outcome<K extends CallOutcome['kind']> = Extract<CallOutcome, { kind: K }>;
export const CallOutcomeShape = z.discriminatedUnion('kind', [
  objectOf<Outcome<'result'>>()({
    kind: z.literal('result'),
    value: z.string().nullable(),
    navigatedTo: z.string().optional(),
    note: Words.optional(),
  }),
  objectOf<Outcome<'error'>>()({
    kind: z.literal('error'),
    message: z.string(),
    said: SaidField,
    mayHaveRun: z.boolean(),
    navigatedTo: z.string().optional(),
  }),
  objectOf<Outcome<'changed'>>()({ kind: z.literal('changed'), tool: ToolShape.optional() }),
]) satisfies z.ZodType<CallOutcome>;

export const EngineIdShape = enumOf<EngineId>()({
  instant: 'instant',
  'prompt-api': 'prompt-api',
  'web-llm': 'web-llm',
  wllama: 'wllama',
});

export const LoadProgressShape = objectOf<LoadProgress>()({
  phase: enumOf<LoadProgress['phase']>()({
    download: 'download',
    verify: 'verify',
    prepare: 'prepare',
  }),
  done: z.number(),
  total: z.number(),
  bytesPerSecond: z.number().optional(),
  secondsLeft: z.number().optional(),
}) satisfies z.ZodType<LoadProgress>;

const DialectShape = enumOf<DialectId>()({
  json: 'json',
  hermes: 'hermes',
  'p-format': 'p-format',
  liquid: 'liquid',
  llama: 'llama',
  gemma: 'gemma',
  functiongemma: 'functiongemma',
  'qwen-xml': 'qwen-xml',
  mistral: 'mistral',
  granite: 'granite',
  phi: 'phi',
  deepseek: 'deepseek',
});

const ModelChoiceShape = objectOf<ModelChoice>()({
  id: z.string(),
  label: z.string(),
  sizeBytes: z.number(),
  memoryBytes: z.number().optional(),
  contextWindow: z.number(),
  dialect: DialectShape,
  licence: z.string().optional(),
  languages: z.array(z.string()).optional(),
  goodAt: Words.optional(),
  installed: z.boolean(),
  blocked: Words.optional(),
  note: Words.optional(),
}) satisfies z.ZodType<ModelChoice>;

export const EngineDescriptionShape = objectOf<EngineDescription>()({
  id: EngineIdShape,
  label: z.string(),
  available: z.boolean(),
  reason: Words.optional(),
  models: z.array(ModelChoiceShape),
  loaded: z.string().optional(),
}) satisfies z.ZodType<EngineDescription>;

/** Events of a log. Those that this version does not know are left out, not their neighbours. */
export const KnownEvents = z
  .array(AgentEvent.nullable().catch(null))
  .transform((events) => events.filter((event) => event !== null));
