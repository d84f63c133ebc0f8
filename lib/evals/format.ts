import * as z from 'zod';

/** A page's tools, what they return, and what people ask of it. Described in docs/evals.md. */
const Json = z.json();

/** What an argument must be. A plain value means: equal to it (texts: ignoring case and outer space). */
export const Matcher = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ equals: Json }),
  z.strictObject({ oneOf: z.array(Json).min(1) }),
  /** Every one of these occurs in the text, or in the entries of the list. */
  z.strictObject({ contains: z.array(z.string()).min(1) }),
  z.strictObject({ min: z.number(), max: z.number() }),
  /** The day of a date or a moment, YYYY-MM-DD. */
  z.strictObject({ date: z.string() }),
  /** Wall-clock time of day to the minute, HH:MM, of a time or a moment. */
  z.strictObject({ time: z.string() }),
]);
export type Matcher = z.infer<typeof Matcher>;

const ExpectedCall = z.strictObject({
  tool: z.string(),
  /** Arguments that must be there. */
  args: z.record(z.string(), Matcher),
  /** Arguments that may be there; any other one is wrong. */
  optional: z.record(z.string(), Matcher).optional(),
});
export type ExpectedCall = z.infer<typeof ExpectedCall>;

const turnShape = {
  ask: z.string().min(1).max(20_000),
  /** The calls that must be made, in this order. */
  calls: z.array(ExpectedCall),
  /** Reading tools that may be called on the way, any number of times. */
  lookups: z.array(z.string()).optional(),
  /** The user must be asked for these arguments before any other call that is expected. */
  asks: z.strictObject({ missing: z.array(z.string()).min(1) }).optional(),
  /** What the user answers, in order: words, or the values of a form. Without one more, they close the question. */
  answers: z.array(z.union([z.string(), z.record(z.string(), Json)])).optional(),
  /** Nothing the page offers fits: no call at all, and words that say so. */
  refusal: z.literal(true).optional(),
  /** Each must occur in the final words, ignoring case. */
  says: z.array(z.string()).optional(),
};
const Turn = z.strictObject(turnShape);
export type EvalTurn = z.infer<typeof Turn>;

const caseShape = {
  id: z.string().regex(/^[a-z0-9-]+$/),
  tags: z
    .array(
      z.enum([
        'no-tool',
        'negation',
        'missing',
        'two-step',
        'enum',
        'dates',
        'hostile',
        'conversation',
      ]),
    )
    .optional(),
  /** Results for this case, in place of the site's. */
  results: z.record(z.string(), Json).optional(),
  /** Must never be called, whatever happens. */
  mustNotCall: z.array(z.string()).optional(),
};
const Case = z.union([
  z.strictObject({ ...caseShape, ...turnShape }),
  z.strictObject({ ...caseShape, turns: z.array(Turn).min(1) }),
]);

const Tool = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), Json),
  annotations: z.record(z.string(), z.boolean()).optional(),
});

export const EvalSite = z.strictObject({
  site: z.string(),
  about: z.string(),
  /** When and where the user is; the default is a Monday morning in Berlin. */
  now: z.iso.datetime({ offset: true }).optional(),
  timeZone: z.string().optional(),
  tools: z.array(Tool).min(1).max(1000),
  /** What each tool returns: text as it is, anything else as JSON. */
  results: z.record(z.string(), Json),
  cases: z.array(Case).min(1).max(1000),
});
export type EvalSite = z.infer<typeof EvalSite>;

export interface EvalCase {
  id: string;
  site: EvalSite;
  tags: readonly string[];
  turns: EvalTurn[];
  results: EvalSite['results'];
  mustNotCall: readonly string[];
  /** Left out while rules and prompts are worked on. */
  heldOut: boolean;
}

/** Two cases in three are for work, the third is only looked at in the end: by a hash of the id. */
export function isHeldOut(id: string): boolean {
  let hash = 2166136261;
  for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619);
  return ((hash >>> 8) & 0xffff) % 3 === 0;
}

/** The cases of a site, each with its turns and the results that hold for it. */
export function casesOf(site: EvalSite): EvalCase[] {
  return site.cases.map((one) => {
    const { id, tags = [], results = {}, mustNotCall = [] } = one;
    let turns: EvalTurn[];
    if ('turns' in one) turns = one.turns;
    else {
      const { ask, calls, lookups, asks, answers, refusal, says } = one;
      turns = [{ ask, calls, lookups, asks, answers, refusal, says }];
    }
    const merged = { ...site.results, ...results };
    return { id, site, tags, turns, results: merged, mustNotCall, heldOut: isHeldOut(id) };
  });
}
