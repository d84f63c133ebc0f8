import type { Verdict } from './judge';

interface Column {
  title: string;
  counts(verdict: Verdict): boolean;
  /** Listed by id below the table. */
  listed?: (verdict: Verdict) => string;
}

const COLUMNS: readonly Column[] = [
  { title: 'requests', counts: () => true },
  { title: 'right tool', counts: (v) => v.toolRight },
  { title: 'fully right', counts: (v) => v.fullyRight },
  { title: 'asked needlessly', counts: (v) => v.askedNeedlessly, listed: () => '' },
  { title: 'refused needlessly', counts: (v) => v.refusedNeedlessly, listed: () => '' },
  {
    title: 'dropped silently',
    counts: (v) => v.dropped.length > 0,
    listed: (v) => v.dropped.map((words) => `“${words}”`).join(', '),
  },
  {
    title: 'invented values',
    counts: (v) => v.invented.length > 0,
    listed: (v) => v.invented.join(', '),
  },
  { title: 'false “done”', counts: (v) => v.falseDone, listed: () => '' },
];

/** Requests by kind and in total: how many of them are so, in the order of the table's columns. */
export function countsOf(verdicts: readonly Verdict[]): Record<string, Record<string, number>> {
  const kinds = [...new Set(verdicts.map((v) => v.kind))];
  const groups = [...kinds.map((kind) => [kind, verdicts.filter((v) => v.kind === kind)] as const)];
  return Object.fromEntries(
    [...groups, ['in total', verdicts] as const].map(([name, among]) => [
      name,
      Object.fromEntries(COLUMNS.map(({ title, counts }) => [title, among.filter(counts).length])),
    ]),
  );
}

/** The table, and below it which requests the faults were seen in. */
export function reportOf(verdicts: readonly Verdict[]): string {
  const counts = Object.entries(countsOf(verdicts));
  const width = Math.max(...counts.map(([name]) => name.length)) + 2;
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)}${cells.map((cell, i) => cell.padStart((COLUMNS[i]?.title.length ?? 0) + 2)).join('')}`;
  const table = [
    line(
      '',
      COLUMNS.map(({ title }) => title),
    ),
    ...counts.map(([name, row]) => line(name, Object.values(row).map(String))),
  ];
  const lists = COLUMNS.flatMap(({ title, counts: isSo, listed }) => {
    const found = listed ? verdicts.filter(isSo) : [];
    if (!listed || found.length === 0) return [];
    return ['', `${title}:`, ...found.map((v) => `  ${v.id} ${listed(v)}`.trimEnd())];
  });
  return [...table, ...lists].join('\n');
}

/** One request that is not fully right, or any where everything is wanted. */
export function verdictLines(v: Verdict): string[] {
  const mark = v.fullyRight ? 'ok  ' : v.toolRight ? 'tool' : 'FAIL';
  return [
    `${mark} ${v.id} ${v.request.slice(0, 170)}`,
    ...v.differences.map((difference) => `       ≠ ${difference}`),
    ...v.calls.map((call) => `       → ${call.name} ${JSON.stringify(call.arguments)}`),
    ...v.refused.map((message) => `       ✗ ${message}`),
    ...v.asked.map((a) => `       ? ${a.question}`),
    ...(v.text === '' ? [] : [`       “${v.text.slice(0, 260)}”`]),
  ];
}
