import type { JsonValue } from '../tools/tool';
import { HIDDEN, type Linear, mean, type Network, unit } from './network';
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
  /** The choice that the request speaks for most, where it speaks for any, whatever `kind` is. */
  likely?: JsonValue;
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
/** Tools read together with the request: the nearest, where there are more. */
const MOST_READ = 8;
/** Log-odds from which a word counts as left over. */
const LEFT = 0;

/** A reader over a network. Reading takes about 30 ms a tool and is synchronous: run it in a worker. */
export function createReader(network: Network): Reader {
  const kept = new Map<string, KeptTool>();
  const head = (name: HeadName): Linear => network.head(name);
  const toolOf = (tool: ReadableTool): KeptTool => {
    const key = JSON.stringify([tool.name, tool.description, tool.inputSchema]);
    const found = kept.get(key);
    if (found) return found;
    const tokens = toolTokens(tool, network.cut);
    const states = network.lower(tokens.ids, 1);
    const made = {
      tool,
      tokens,
      states,
      vector: network.vector(states),
      options: optionVectors(tokens, states),
    };
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
      const own = network.vector(states);
      const likely = tools
        .map((tool) => {
          const kept = toolOf(tool);
          return { kept, near: dot(own, kept.vector) };
        })
        .sort((a, b) => b.near - a.near)
        .slice(0, MOST_READ);
      const asked: Asked = { tokens, texts, units: unitsOf(states, tokens.ids.length) };
      const readings = likely.map(({ kept, near }) =>
        readTool(kept, near, network.upper(states, kept.states), asked, head),
      );
      return {
        tools: readings.sort((a, b) => b.score - a.score),
        cuts: tokens.marks.flatMap((mark, i) =>
          mark?.part === 0 && i > 1 && apply(head('cut'), states, i) > 0 ? [mark.start] : [],
        ),
      };
    },
  };
}

/** A tool with what is worked out of it once. */
interface KeptTool {
  tool: ReadableTool;
  tokens: ToolTokens;
  states: Float32Array;
  vector: Float32Array;
  /** For each argument, the direction of each of its choices' words. */
  options: Float32Array[][];
}

const optionVectors = (tokens: ToolTokens, states: Float32Array): Float32Array[][] =>
  tokens.slots.map(({ options }) =>
    options.map((o) => unit(mean(states, o.at + 1, o.at + 1 + o.words))),
  );

/** The request as it is held against each tool. */
interface Asked {
  tokens: RequestTokens;
  texts: readonly string[];
  /** The direction of each of its tokens, but for the first mark. */
  units: Float32Array[];
}

const unitsOf = (states: Float32Array, n: number): Float32Array[] =>
  Array.from({ length: n - 1 }, (_, i) => unit(states.slice((i + 1) * HIDDEN, (i + 2) * HIDDEN)));

type HeadName =
  | 'score'
  | 'kind'
  | 'begin_a'
  | 'begin_t'
  | 'inside_a'
  | 'inside_t'
  | 'option'
  | 'left'
  | 'cut'
  | 'near'
  | 'alike';

/** Output `row` of a dense layer over the hidden state of token `at`; `from` skips weights of other inputs. */
function apply(linear: Linear, states: Float32Array, at: number, row = 0, from = 0): number {
  const width = linear.weight.length / linear.bias.length;
  let sum = linear.bias[row] ?? 0;
  const w = row * width + from;
  for (let d = 0; d < HIDDEN; d++)
    sum += (linear.weight[w + d] ?? 0) * (states[at * HIDDEN + d] ?? 0);
  return sum;
}

const scaled = (linear: Linear, x: number): number =>
  (linear.weight[0] ?? 0) * x + (linear.bias[0] ?? 0);

/** How like the words of the request come to a direction, −1 to 1. */
const likest = (direction: Float32Array | undefined, units: readonly Float32Array[]): number =>
  direction ? units.reduce((best, u) => Math.max(best, dot(direction, u)), -1) : -1;

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

const argmax = (values: readonly number[]): number =>
  values.reduce((best, v, i) => (v > (values[best] ?? -Infinity) ? i : best), 0);

function readTool(
  { tool: { name }, tokens: tool, options: directions }: KeptTool,
  near: number,
  states: Float32Array,
  { tokens: request, texts, units }: Asked,
  head: (name: HeadName) => Linear,
): ToolReading {
  const n = request.ids.length;
  const heads = { score: head('score'), near: head('near'), alike: head('alike') };
  let score = apply(heads.score, states, 0) + scaled(heads.near, near);
  for (let d = 0; d < HIDDEN; d++)
    score += (heads.score.weight[HIDDEN + d] ?? 0) * (states[n * HIDDEN + d] ?? 0);
  const begins: Float32Array[] = [];
  const insides: Float32Array[] = [];
  for (let i = 0; i < n; i++) {
    begins.push(project(head('begin_t'), states, i));
    insides.push(project(head('inside_t'), states, i));
  }
  const slots = tool.slots.map(({ at, options, ...slot }, number): SlotReading => {
    const where = n + at;
    const kinds = KINDS.map((_, row) => apply(head('kind'), states, where, row));
    const top = Math.max(...kinds);
    const total = kinds.reduce((sum, v) => sum + Math.exp(v - top), 0);
    const kind = KINDS[argmax(kinds)] ?? 'none';
    const sure = 1 - Math.exp((kinds[0] ?? 0) - top) / total;
    const scored = options.map((o, k) => ({
      value: slot.choices[o.choice]?.value ?? null,
      odds:
        apply(head('option'), states, n + o.at) +
        scaled(heads.alike, likest(directions[number]?.[k], units)),
    }));
    const best = scored.toSorted((x, y) => y.odds - x.odds);
    const [top1] = best;
    const likely = top1 && top1.odds > 0 ? { likely: top1.value } : {};
    if (kind === 'none') return { slot, kind, words: [], choices: [], sure, ...likely };
    const b = project(head('begin_a'), states, where);
    const inside = project(head('inside_a'), states, where);
    const tags = request.marks.map((mark, i) => {
      if (!mark) return 0;
      return argmax([0, dot(b, begins[i] ?? b) / 8, dot(inside, insides[i] ?? b) / 8]);
    });
    const words = spansOf(tags, request.marks, texts);
    const chosen =
      kind !== 'choice'
        ? []
        : slot.type === 'list'
          ? scored.filter((o) => o.odds > 0 || o === best[0])
          : best.slice(0, 1);
    return { slot, kind, words, choices: chosen.map((o) => o.value), sure, ...likely };
  });
  const left = request.marks.map((mark, i) =>
    mark?.part === 0 && apply(head('left'), states, i) > LEFT ? (i > 0 ? 2 : 1) : 0,
  );
  return { name, score, slots, left: spansOf(left, request.marks, texts) };
}

const WORD_BEFORE = /[\p{L}\p{N}]{1,40}$/u;
const WORD_AFTER = /^[\p{L}\p{N}]{1,40}/u;
const lengthOf = (pattern: RegExp, text: string): number => pattern.exec(text)?.[0].length ?? 0;

/** Runs of begin (1) and inside (2) as words; a run never crosses from one part to another, and takes whole words. */
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
  return out.map((m) => {
    const text = texts[m.part] ?? '';
    const start = m.start - lengthOf(WORD_BEFORE, text.slice(0, m.start));
    const end = m.end + lengthOf(WORD_AFTER, text.slice(m.end));
    return { ...m, start, end, text: text.slice(start, end) };
  });
}
