import * as z from 'zod';
import { createWordPieces, type Piece } from './wordpiece';

/** Numbers per token; the shapes are those of training/reader/model.py. */
export const HIDDEN = 384;
const INNER = 1536;
const LAYERS = 6;
/** Layers below this read a text by itself; from it on, request and tool are read together. */
const JOIN = 3;
const PAGE = 65_536;
/** Tokens read at once at most: a request with what was before it, and a tool. */
const MOST = 400;

const Table = z.object({
  version: z.literal(1),
  blocks: z.record(z.string(), z.tuple([z.number().int().min(0), z.number().int().min(0)])),
});

/** A dense layer of the heads. */
export interface Linear {
  weight: Float32Array;
  bias: Float32Array;
}

/** The weights and the arithmetic of the reader. */
export interface Network {
  cut: (text: string) => Piece[];
  /** Hidden states of one text by itself, `HIDDEN` numbers a token. */
  lower: (ids: readonly number[], side: 0 | 1) => Float32Array;
  /** Hidden states of a request and a tool read together, the request's tokens first. */
  upper: (request: Float32Array, tool: Float32Array) => Float32Array;
  /** One text by itself through all layers, of length 1; `states` are those of `lower`. */
  vector: (states: Float32Array) => Float32Array;
  head: (name: string) => Linear;
}

interface Kernel {
  memory: WebAssembly.Memory;
  heap: () => number;
  layer: (x: number, n: number, w: number, work: number) => void;
  normalise: (x: number, rows: number, gain: number, bias: number) => void;
}

function kernelOf(exports: WebAssembly.Exports): Kernel {
  const { memory, heap, layer, normalise } = exports;
  if (
    !(memory instanceof WebAssembly.Memory) ||
    typeof heap !== 'function' ||
    typeof layer !== 'function' ||
    typeof normalise !== 'function'
  )
    throw new Error('The reader’s kernel lacks what it should export.');
  return {
    memory,
    heap: () => Number(heap()),
    layer: (x, n, w, work) => void layer(x, n, w, work),
    normalise: (x, rows, gain, bias) => void normalise(x, rows, gain, bias),
  };
}

/**
 * Puts weights (training/reader/export.py writes them) and kernel together.
 * Needs about twice the size of the weights in memory while it is made, their size after.
 * Throws where the bytes are not such weights.
 */
export async function createNetwork(weights: ArrayBuffer, kernel: BufferSource): Promise<Network> {
  const { instance } = await WebAssembly.instantiate(kernel, {});
  const k = kernelOf(instance.exports);
  const length = new DataView(weights).getUint32(0, true);
  if (length > weights.byteLength) throw new Error('The reader’s weights are cut off.');
  const { blocks } = Table.parse(
    JSON.parse(new TextDecoder().decode(new Uint8Array(weights, 4, length))),
  );
  const from = 4 + length;
  const block = (name: string): [number, number] => {
    const at = blocks[name];
    if (!at || from + at[0] + at[1] > weights.byteLength)
      throw new Error(`The reader’s weights lack “${name}”.`);
    return at;
  };

  // Memory of the kernel: layers, norm, then room for a text and for the work on it.
  let end = (k.heap() + 63) & ~63;
  const reserve = (bytes: number): number => {
    const at = end;
    end = (end + bytes + 63) & ~63;
    return at;
  };
  const resident = [
    'normGain',
    'normBias',
    ...Array.from({ length: LAYERS }, (_, i) => `layer${i}`),
  ];
  const places = new Map(resident.map((name) => [name, reserve(block(name)[1])]));
  const x = reserve(MOST * HIDDEN * 4);
  const work = reserve(MOST * (INNER * 4 + HIDDEN * 4 + INNER * 2) + (MOST + 4) * 8);
  k.memory.grow(Math.max(0, Math.ceil((end - k.memory.buffer.byteLength) / PAGE)));
  const memory = new Uint8Array(k.memory.buffer);
  const place = (name: string): number => places.get(name) ?? 0;
  for (const name of resident) {
    const [at, size] = block(name);
    memory.set(new Uint8Array(weights, from + at, size), place(name));
  }
  const floats = (name: string): Float32Array => {
    const [at, size] = block(name);
    return new Float32Array(weights.slice(from + at, from + at + size));
  };
  const [wordsAt, wordsSize] = block('words');
  const words = new Int8Array(weights.slice(from + wordsAt, from + wordsAt + wordsSize));
  const wordScales = floats('wordScales');
  const positions = floats('places');
  const sides = floats('sides');
  const marks = floats('marks');
  const [vocabularyAt, vocabularySize] = block('vocabulary');
  const vocabulary = new TextDecoder()
    .decode(new Uint8Array(weights, from + vocabularyAt, vocabularySize))
    .split('\n');
  const heads = new Map<string, Linear>();
  for (const name of Object.keys(blocks))
    if (name.endsWith('.w')) {
      const head = name.slice(0, -2);
      heads.set(head, { weight: floats(name), bias: floats(`${head}.b`) });
    }
  const markCount = marks.length / HIDDEN;
  const hidden = new Float32Array(k.memory.buffer, x, MOST * HIDDEN);

  const run = (n: number, first: number, last: number): Float32Array => {
    for (let i = first; i < last; i++) k.layer(x, n, place(`layer${i}`), work);
    return hidden.slice(0, n * HIDDEN);
  };
  return {
    cut: createWordPieces(vocabulary),
    lower: (ids, side) => {
      const n = Math.min(ids.length, MOST);
      for (let i = 0; i < n; i++) {
        const id = ids[i] ?? 0;
        const scale = wordScales[id] ?? 0;
        for (let d = 0; d < HIDDEN; d++) {
          let v = (words[id * HIDDEN + d] ?? 0) * scale;
          v += (positions[i * HIDDEN + d] ?? 0) + (sides[side * HIDDEN + d] ?? 0);
          if (id < markCount) v += marks[id * HIDDEN + d] ?? 0;
          hidden[i * HIDDEN + d] = v;
        }
      }
      k.normalise(x, n, place('normGain'), place('normBias'));
      return run(n, 0, JOIN);
    },
    upper: (request, tool) => {
      const n = (request.length + tool.length) / HIDDEN;
      if (n > MOST) throw new Error(`${n} tokens are more than the reader takes at once.`);
      hidden.set(request, 0);
      hidden.set(tool, request.length);
      return run(n, JOIN, LAYERS);
    },
    vector: (states) => {
      const n = states.length / HIDDEN;
      hidden.set(states, 0);
      const own = run(n, JOIN, LAYERS);
      return unit(mean(own, 0, n));
    },
    head: (name) => {
      const head = heads.get(name);
      if (!head) throw new Error(`The reader’s weights lack the head “${name}”.`);
      return head;
    },
  };
}

/** The mean of the states of tokens `from` up to `to`. */
export function mean(states: Float32Array, from: number, to: number): Float32Array {
  const out = new Float32Array(HIDDEN);
  for (let i = from; i < to; i++)
    for (let d = 0; d < HIDDEN; d++) out[d] = (out[d] ?? 0) + (states[i * HIDDEN + d] ?? 0);
  return out.map((v) => v / Math.max(1, to - from));
}

/** The same direction, of length 1. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, v) => sum + v * v, 0));
  return length === 0 ? vector : vector.map((v) => v / length);
}
