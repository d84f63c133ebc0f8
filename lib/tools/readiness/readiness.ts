import { splitWords } from '../text/words';
import type { ToolDescriptor } from '../tool';
import { argumentFindings } from './argument-rules';
import { argumentsOf } from './arguments';
import { type Finding, head, READINESS_RULES } from './finding';
import { textFindings } from './text-rules';

/** From here on a window of 4 096 tokens cannot hold the page's tools at once. */
const MANY_TOOLS = 20;
/** Tools compared with each other; beyond it the pairs would cost more than the advice is worth. */
const MOST_COMPARED = 400;
/** Share of words in common that makes two tools one to a small model. */
const NEAR = 0.75;

/**
 * What makes these tools hard for a small model to use well, each with a concrete rewrite; worst
 * first, then in the rules' order. Reads page data: bounded, and it never throws.
 */
export function checkReadiness(tools: readonly ToolDescriptor[]): Finding[] {
  const findings = [
    ...tooMany(tools),
    ...nearDuplicates(tools.slice(0, MOST_COMPARED)),
    ...tools.flatMap((tool) => [...textFindings(tool), ...argumentFindings(tool, tools)]),
  ];
  const rank = { error: 0, warning: 1, hint: 2 } as const;
  return findings
    .map((finding, index) => ({ finding, index }))
    .sort(
      (a, b) =>
        rank[a.finding.severity] - rank[b.finding.severity] ||
        READINESS_RULES.indexOf(a.finding.rule) - READINESS_RULES.indexOf(b.finding.rule) ||
        a.index - b.index,
    )
    .map(({ finding }) => finding);
}

function tooMany(tools: readonly ToolDescriptor[]): Finding[] {
  if (tools.length <= MANY_TOOLS) return [];
  const groups = new Map<string, ToolDescriptor[]>();
  for (const tool of tools) {
    const noun = splitWords(tool.name).at(-1) ?? tool.name;
    const group = groups.get(noun);
    if (group) group.push(tool);
    else groups.set(noun, [tool]);
  }
  const biggest = [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .filter(([, group]) => group.length > 1)
    .slice(0, 5)
    .map(
      ([noun, group]) =>
        `${noun}: ${group
          .map(({ name }) => name)
          .slice(0, 6)
          .join(', ')}`,
    );
  return [
    {
      rule: 'too-many-tools',
      severity: 'warning',
      tool: '',
      values: [String(tools.length), String(MANY_TOOLS)],
      rewrite: biggest.join('\n'),
    },
  ];
}

function nearDuplicates(tools: readonly ToolDescriptor[]): Finding[] {
  const words = tools.map(
    (tool) =>
      new Set([
        ...splitWords(tool.name),
        ...splitWords(head(tool.description)).slice(0, 60),
        ...argumentsOf(tool).map(({ name }) => `(${name}`),
      ]),
  );
  const findings: Finding[] = [];
  for (const [at, tool] of tools.entries()) {
    const mine = words[at];
    const twin = tools.findIndex((_, other) => {
      const theirs = words[other];
      return other > at && mine && theirs ? likeness(mine, theirs) >= NEAR : false;
    });
    const other = tools[twin];
    if (!other) continue;
    findings.push({
      rule: 'near-duplicate',
      severity: 'warning',
      tool: tool.name,
      values: [tool.name, other.name],
      rewrite: difference(tool, other),
    });
  }
  return findings;
}

/** Jaccard: words in both, by words in either. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size < 4 || b.size < 4) return 0;
  if (Math.min(a.size, b.size) / Math.max(a.size, b.size) < NEAR) return 0;
  let both = 0;
  for (const word of a) if (b.has(word)) both += 1;
  return both / (a.size + b.size - both);
}

/** One tool in place of two: what tells them apart becomes the choices of an argument. */
function difference(a: ToolDescriptor, b: ToolDescriptor): string {
  const mine = splitWords(a.name);
  const theirs = splitWords(b.name);
  const common = mine.filter((word) => theirs.includes(word));
  const own = (words: string[]) => words.filter((word) => !common.includes(word)).join('_');
  const choices = [own(mine), own(theirs)].filter((choice) => choice !== '');
  if (common.length === 0 || choices.length < 2) return '';
  return JSON.stringify({
    name: common.join('_'),
    inputSchema: { properties: { kind: { type: 'string', enum: choices } } },
  });
}
