import type { ToolDescriptor } from '../tool';

/** What makes a page's tools hard for a small model. Words for each live in the views' locales. */
export const READINESS_RULES = [
  'injection',
  'hidden-characters',
  'too-many-tools',
  'near-duplicate',
  'host-name',
  'cryptic-name',
  'vague-description',
  'long-description',
  'nested-schema',
  'many-arguments',
  'undescribed-argument',
  'missing-enum',
  'missing-unit',
  'missing-lookup',
  'over-asking',
  'no-read-only-hint',
] as const;
export type ReadinessRule = (typeof READINESS_RULES)[number];

/** `error`: a host may refuse or be misled; `warning`: models go wrong; `hint`: costs or politeness. */
export type Severity = 'error' | 'warning' | 'hint';

export interface Finding {
  rule: ReadinessRule;
  severity: Severity;
  /** Name of the tool it is about, `''` for the page as a whole. */
  tool: string;
  argument?: string;
  /** What the words about it fill in: counts, names, the passage found. */
  values: string[];
  /** What to write instead, ready to paste; `''` where only the author can know. */
  rewrite: string;
}

/** The first so many characters of a page's text are looked at; no rule reads more. */
export const MOST_TEXT = 4_000;

export function head(text: string): string {
  return text.slice(0, MOST_TEXT);
}

/** The tool's words a rule looks at, bounded. */
export function wordsOf(tool: ToolDescriptor): string {
  return head([tool.title ?? '', tool.description].filter((part) => part !== '').join('. '));
}
