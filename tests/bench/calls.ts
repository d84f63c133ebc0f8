import { pathToFileURL } from 'node:url';
import { parseToolCalls } from '../../lib/calls/parse';
import { createProseFilter } from '../../lib/calls/prose-filter';

/** Largest allowed time of 32 KB over 4 KB: 8 is linear, the rest is noise. */
const LINEAR = 10;
/** Largest allowed time of one-character pushes over one big push. */
const PUSHES = 3;
const SMALL = 4 * 1024;
const BIG = 32 * 1024;

const names = new Set(['search_products', 'open_product', 'add_to_cart', 'f']);
const repeat = (unit: string) => (length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
const after = (head: string, unit: string) => (length: number) =>
  (head + unit.repeat(Math.ceil(length / unit.length))).slice(0, length);

/** Replies of any length: ordinary ones first, then the worst we could think of. */
export const REPLIES: Record<string, (length: number) => string> = {
  prose: repeat('The trail cap is in stock, and "red" is < 20 [1]. It\'s `fine`.\n'),
  'calls in tags': repeat(
    'Next.<tool_call>{"name":"f","arguments":{"a":"b \\"c\\" d","n":[1,2,{"k":null}]}}</tool_call>\n',
  ),
  'calls to mend': repeat("<tool_call>{'name':'f','arguments':{'a':'b',n:True,},}</tool_call>\n"),
  'one long call': (length) =>
    `<tool_call>{"name":"f","arguments":{"text":"${'words and words '.repeat(length / 16 - 6)}"}}`,
  'one long call to mend': (length) =>
    `<tool_call>{"name":"f","arguments":{"list":[${'{"a":"b","c":1},'.repeat(length / 16 - 6)}],}}`,
  'XML calls': repeat('<function=f>\n<parameter=a>\nb\n</parameter>\n</function>\n'),
  'long thought': after('<think>', 'hm, maybe <tool_call> or not. '),
  'unknown tools': repeat('<tool_call>{"name":"serch_prodcts","arguments":{}}</tool_call>'),
  '<': repeat('<'),
  '{': repeat('{'),
  '[': repeat('['),
  '"': repeat('"'),
  backslashes: repeat('\\'),
  backticks: repeat('`'),
  'lines of {': repeat('{\n'),
  'lines of {"name"': repeat('{"name":\n'),
  'lines of [f(': repeat('[f(\n'),
  'lines of f[': repeat('f[\n'),
  'lines of ```': repeat('```\n'),
  'lines of ```json {': repeat('```json\n{"name":'),
  'open tags': repeat('<tool_call>'),
  'open tags with {': repeat('<tool_call>{'),
  'open tags with {"': repeat('<tool_call>{"'),
  'open tags with attributes': repeat('<tool_call a'),
  'half tags': repeat('<tool_cal'),
  'open Liquid': repeat('<|tool_call_start|>[f('),
  'open python tags': repeat('<|python_tag|>f(a='),
  'open Gemma': after('<|tool_call>call:f{', 'a:<|"|>x<|"|>,b:{'),
  'open XML parameters': after('<function=f>', '<parameter=a>'),
  'closers in a string': after('<tool_call>{"name":"', '</tool_call>'),
  'quotes in a call': after('<tool_call>{"name":', '"'),
  'odd quotes in a call': after('<tool_call>{"name":"', '"a '),
  'quotes and lines in a call': after('<tool_call>{"name":"', '"\n'),
  'braces and quotes in a call': after('<tool_call>', '{"'),
  'brackets in a call': after('<tool_call>', '['),
  'backslashes in a call': after('<tool_call>{"name":"', '\\'),
  'backslashed quotes in a call': after('<tool_call>{"name":"', '\\"'),
  'apostrophes in a call': after("<tool_call>{'name':'", "'"),
  'backticks in a call': after('<tool_call>{"name":', '`'),
  'joined strings in a call': after('<tool_call>{"name":"a"', '+"b"'),
  'spaces in a call': after('<tool_call>', ' '),
  'words in a call': after('<tool_call>', 'a'),
  'commas in a call': after('<tool_call>{"name":"f"', ','),
  'ellipses in a call': after('<tool_call>{"name":[1', ',...'),
  'no commas in a call': after('<tool_call>{', '"a":1 '),
  'numbers in a call': after('<tool_call>{"name":', '1.'),
  'calls in calls': after('<tool_call>{', 'f('),
  'comments in a call': after('<tool_call>{', '/*'),
  'small broken calls': repeat('<tool_call>{"name":"f","a":"b"c"d"e"}</tool_call>'),
  'Mistral brackets': after('[TOOL_CALLS]', '[]'),
  'whole JSON': (length) => `{"name":"f","arguments":{"a":[${'1,'.repeat(length / 2 - 24)}1]}}`,
  'whole JSON, odd quotes': after('{"name":"f","arguments":{"a":"', '"b '),
  'message with quotes': after('{"type":"message","text":"', '"'),
  'DeepSeek bars': repeat('<｜tool▁call▁begin｜>'),
};

/**
 * Least processor time of each run, in ms. They take turns, and waiting for the processor does not
 * count, so that a busy machine slows all alike or none.
 */
function compare(...runs: (() => void)[]): number[] {
  const least = runs.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < 9; turn++) {
    runs.forEach((run, i) => {
      const before = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(before);
      least[i] = Math.min(least[i] ?? 0, (user + system) / 1000);
    });
  }
  return least;
}

function push(reply: string, size: number): void {
  const filter = createProseFilter();
  for (let i = 0; i < reply.length; i += size) filter.push(reply.slice(i, i + size));
  filter.flush();
}

/** Prints, for each reply, time of 32 KB over 4 KB, and of one-character pushes over one push. */
export async function bench(): Promise<void> {
  const row = (...cells: string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(28) : cell.padStart(12))).join('');
  console.log(row('reply', '32 KB ms', '32/4 KB', '1-char/all'));
  let worst = 0;
  let worstPushes = 0;
  for (const [label, make] of Object.entries(REPLIES)) {
    const [small, big] = [make(SMALL), make(BIG)];
    const [few = 0, many = 0, one = 0, all = 0] = compare(
      // Eight small replies cost what one eight times as long should.
      () => {
        for (let i = 0; i < 8; i++) parseToolCalls(small, names);
      },
      () => parseToolCalls(big, names),
      () => push(big, 1),
      () => push(big, big.length),
    );
    const ratio = (8 * many) / few;
    const split = one / all;
    worst = Math.max(worst, ratio);
    worstPushes = Math.max(worstPushes, split);
    console.log(row(label, many.toFixed(2), ratio.toFixed(1), split.toFixed(2)));
  }
  console.log(
    row('worst', '', `${worst.toFixed(1)} ≤ ${LINEAR}`, `${worstPushes.toFixed(2)} < ${PUSHES}`),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await bench();
