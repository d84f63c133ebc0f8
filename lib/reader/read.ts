import type { JsonValue } from '../tools/tool';
import { HIDDEN, type Linear, type Network } from './network';
import {
  type Mark,
  type ReadableSlot,
  type ReadableTool,
  type RequestTokens,
  requestTokens,
  type ToolTokens,
  toolTokens,
} from './text';

/** Words of a request: a part of it (0) or of what was said before (1 and up), by characters. */
export interface Words extends Mark {
  text: string;
}

/** What the request says of one argument. */
export interface SlotReading {
  slot: ReadableSlot;
  /**
   * `none`: nothing. `words`: the value stands in `words`. `choice`: one or several of its choices.
   * `yes`, `no`. `result`: something that earlier results hold, which `words` point at.
   */
  kind: 'none' | 'words' | 'choice' | 'yes' | 'no' | 'result';
  words: Words[];
  choices: JsonValue[];
  /** How sure that anything is said of it, 0 to 1. */
  sure: number;
}

/** A request held against one tool. */
export interface ToolReading {
  name: string;
  /** Log-odds that the tool serves the request; nothing serves it where all are below 0. */
  score: number;
  slots: SlotReading[];
  /** Words that are a condition which the tool does not take. */
  left: Words[];
}

/** What was read. */
export interface Reading {
  /** Best first. */
  tools: ToolReading[];
  /** Where in the request a further deed begins, in characters, ascending. */
  cuts: number[];
}

/** Reads requests. A tool is read once and kept by its text. */
export interface Reader {
  read: (request: string, earlier: readonly string[], tools: readonly ReadableTool[]) => Reading;
}

const KINDS = ['none', 'words', 'choice', 'yes', 'no', 'result'] as const;
/** Tools kept; the oldest is forgotten first. */
const KEPT = 256;
/** Log-odds from which a word counts as left over. */
const LEFT = 0;

/** A reader over a network. Reading takes about 30 ms a tool and is synchronous: run it in a worker. */
export function createReader(network: Network): Reader {
  const kept = new Map<string, { tokens: ToolTokens; states: Float32Array }>();
  const head = Object.fromEntries(
    ['score', 'kind', 'begin_a', 'begin_t', 'inside_a', 'inside_t', 'option', 'left', 'cut'].map(
      (name) => [name, network.head(name)],
    ),
  ) as Record<HeadName, Linear>;
  const toolOf = (tool: ReadableTool): { tokens: ToolTokens; states: Float32Array } => {
    const key = JSON.stringify([tool.name, tool.description, tool.inputSchema]);
    const found = kept.get(key);
    if (found) return found;
    const tokens = toolTokens(tool, network.cut);
    const made = { tokens, states: network.lower(tokens.ids, 1) };
    const [oldest] = kept.keys();
    if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(key, made);
    return made;
  };
  return {
    read: (request, earlier, tools) => {
      const texts = [request, ...earlier];
      const tokens = requestTokens(request, earlier, network.cut);
      const states = network.lower(tokens.ids, 0);
      const readings = tools.map((tool) => {
        const { tokens: toolIds, states: toolStates } = toolOf(tool);
        return readTool(tool.name, network.upper(states, toolStates), tokens, toolIds, texts, head);
      });
      return {
        tools: readings.sort((a, b) => b.score - a.score),
        cuts: tokens.marks.flatMap((mark, i) =>
          mark?.part === 0 && i > 1 && apply(head.cut, states, i) > 0 ? [mark.start] : [],
        ),
      };
    },
  };
}

type HeadName =
  | 'score'
  | 'kind'
  | 'begin_a'
  | 'begin_t'
  | 'inside_a'
  | 'inside_t'
  | 'option'
  | 'left'
  | 'cut';

/** Output `row` of a dense layer over the hidden state of token `at`; `from` skips weights of other inputs. */
function apply(linear: Linear, states: Float32Array, at: number, row = 0, from = 0): number {
  const width = linear.weight.length / linear.bias.length;
  let sum = linear.bias[row] ?? 0;
  const w = row * width + from;
  for (let d = 0; d < HIDDEN; d++)
    sum += (linear.weight[w + d] ?? 0) * (states[at * HIDDEN + d] ?? 0);
  return sum;
}

function project(linear: Linear, states: Float32Array, at: number): Float32Array {
  const out = new Float32Array(linear.bias.length);
  for (let row = 0; row < out.length; row++) out[row] = apply(linear, states, at, row);
  return out;
}

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
};

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const argmax = (values: readonly number[]): number =>
  values.reduce((best, v, i) => (v > (values[best] ?? -Infinity) ? i : best), 0);

function readTool(
  name: string,
  states: Float32Array,
  request: RequestTokens,
  tool: ToolTokens,
  texts: readonly string[],
  head: Record<HeadName, Linear>,
): ToolReading {
  const n = request.ids.length;
  let score = apply(head.score, states, 0);
  for (let d = 0; d < HIDDEN; d++)
    score += (head.score.weight[HIDDEN + d] ?? 0) * (states[n * HIDDEN + d] ?? 0);
  const begins: Float32Array[] = [];
  const insides: Float32Array[] = [];
  for (let i = 0; i < n; i++) {
    begins.push(project(head.begin_t, states, i));
    insides.push(project(head.inside_t, states, i));
  }
  const slots = tool.slots.map(({ at, options, ...slot }): SlotReading => {
    const where = n + at;
    const kinds = KINDS.map((_, row) => apply(head.kind, states, where, row));
    const top = Math.max(...kinds);
    const total = kinds.reduce((sum, v) => sum + Math.exp(v - top), 0);
    const kind = KINDS[argmax(kinds)] ?? 'none';
    const sure = 1 - Math.exp((kinds[0] ?? 0) - top) / total;
    if (kind === 'none') return { slot, kind, words: [], choices: [], sure };
    const b = project(head.begin_a, states, where);
    const inside = project(head.inside_a, states, where);
    const tags = request.marks.map((mark, i) => {
      if (!mark) return 0;
      return argmax([0, dot(b, begins[i] ?? b) / 8, dot(inside, insides[i] ?? b) / 8]);
    });
    const words = spansOf(tags, request.marks, texts);
    const scored = options.map((o) => ({
      value: slot.choices[o.choice]?.value ?? null,
      odds: apply(head.option, states, n + o.at),
    }));
    const best = scored.toSorted((x, y) => y.odds - x.odds);
    const chosen =
      kind !== 'choice'
        ? []
        : slot.type === 'list'
          ? scored.filter((o) => o.odds > 0 || o === best[0])
          : best.slice(0, 1);
    return { slot, kind, words, choices: chosen.map((o) => o.value), sure };
  });
  const left = request.marks.map((mark, i) =>
    mark?.part === 0 && apply(head.left, states, i) > LEFT ? (i > 0 ? 2 : 1) : 0,
  );
  return { name, score, slots, left: spansOf(left, request.marks, texts) };
}

/** Runs of begin (1) and inside (2) as words; a run never crosses from one part to another. */
function spansOf(
  tags: readonly number[],
  marks: RequestTokens['marks'],
  texts: readonly string[],
): Words[] {
  const out: Mark[] = [];
  let open: Mark | undefined;
  for (const [i, tag] of tags.entries()) {
    const mark = marks[i];
    if (!mark || tag === 0) {
      open = undefined;
      continue;
    }
    if (tag === 2 && open && open.part === mark.part) open.end = mark.end;
    else {
      open = { ...mark };
      out.push(open);
    }
  }
  return out.map((m) => ({ ...m, text: texts[m.part]?.slice(m.start, m.end) ?? '' }));
}

export { sigmoid };
