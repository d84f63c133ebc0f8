import type { CaseScore } from '../../lib/evals/score';

/** `right` of `of`. */
export interface Share {
  right: number;
  of: number;
}

export interface Totals {
  cases: Share;
  /** One turn with exactly one call, nothing looked up and nothing asked. */
  single: { tool: Share; right: Share };
  tool: Share;
  arguments: Share;
  refusals: Share;
  questions: Share;
  tags: Record<string, Share>;
  /** Cases in which a tool was called that must not be. */
  forbidden: number;
  /** Conditions that no call takes up and no word tells. */
  dropped: number;
  /** Arguments with a value that nobody gave. */
  invented: number;
  /** Turns that tell a deed as done which was not. */
  falseDone: number;
  steps: number;
  tokens: number;
  ms: number;
}

export function totalsOf(scores: readonly CaseScore[]): Totals {
  const share = (among: readonly CaseScore[], is: (s: CaseScore) => boolean): Share => ({
    right: among.filter(is).length,
    of: among.length,
  });
  const single = scores.filter((s) => s.single);
  const tags = [...new Set(scores.flatMap((s) => s.tags))].sort();
  return {
    cases: share(scores, (s) => s.right),
    single: { tool: share(single, (s) => s.toolRight), right: share(single, (s) => s.right) },
    tool: share(scores, (s) => s.toolRight),
    arguments: share(scores, (s) => s.argumentsRight),
    refusals: share(
      scores.filter((s) => s.kind === 'refusal'),
      (s) => s.right,
    ),
    questions: share(
      scores.filter((s) => s.kind === 'ask'),
      (s) => s.right,
    ),
    tags: Object.fromEntries(
      tags.map((tag) => [
        tag,
        share(
          scores.filter((s) => s.tags.includes(tag)),
          (s) => s.right,
        ),
      ]),
    ),
    forbidden: scores.filter((s) => s.forbidden.length > 0).length,
    dropped: scores.reduce((n, s) => n + s.dropped.length, 0),
    invented: scores.reduce((n, s) => n + s.invented.length, 0),
    falseDone: scores.reduce((n, s) => n + s.falseDone.length, 0),
    steps: scores.reduce((n, s) => n + s.steps, 0),
    tokens: scores.reduce((n, s) => n + s.tokens, 0),
    ms: scores.reduce((n, s) => n + s.ms, 0),
  };
}

const percent = ({ right, of }: Share): string =>
  of === 0 ? '–' : `${right}/${of} (${Math.round((100 * right) / of)} %)`;

/** Totals of several groups side by side, as lines of text. */
export function totalsTable(groups: Record<string, Totals>): string {
  const rows: [string, (t: Totals) => string][] = [
    ['everything right', (t) => percent(t.cases)],
    ['single step: tool right', (t) => percent(t.single.tool)],
    ['single step: all right', (t) => percent(t.single.right)],
    ['tools right', (t) => percent(t.tool)],
    ['tools and arguments right', (t) => percent(t.arguments)],
    ['refusals right', (t) => percent(t.refusals)],
    ['questions right', (t) => percent(t.questions)],
    ['forbidden calls', (t) => String(t.forbidden)],
    ['dropped silently', (t) => String(t.dropped)],
    ['invented values', (t) => String(t.invented)],
    ['false “done”', (t) => String(t.falseDone)],
    ['steps per case', (t) => mean(t.steps, t.cases.of)],
    ['tokens per case', (t) => mean(t.tokens, t.cases.of, 0)],
    ['ms per case', (t) => mean(t.ms, t.cases.of)],
  ];
  const tags = [...new Set(Object.values(groups).flatMap((t) => Object.keys(t.tags)))].sort();
  for (const tag of tags) {
    rows.push([`  ${tag}`, (t) => percent(t.tags[tag] ?? { right: 0, of: 0 })]);
  }
  const names = Object.keys(groups);
  const lines = [['', ...names], ...rows.map(([n, of]) => [n, ...Object.values(groups).map(of)])];
  return lines
    .map(([name = '', ...cells]) => name.padEnd(28) + cells.map((c) => c.padEnd(18)).join(''))
    .map((line) => line.trimEnd())
    .join('\n');
}

const mean = (sum: number, n: number, digits = 1): string =>
  n === 0 ? '–' : (sum / n).toFixed(digits);
