import { EngineError } from '../../agent/engine';
import type { Words } from '../../said/said';
import { say, sentences } from '../../said/say';

/** What Pagehand needs to know of a GGUF file before it loads it. */
export interface GgufSummary {
  name?: string;
  architecture?: string;
  /** Tokens the model was trained for. */
  contextLength?: number;
  chatTemplate?: string;
  /** Bytes of the keys and values of one token in f16, where the header tells enough. */
  cacheBytesPerToken?: number;
  /** Set when the file is one of several: `{ index: 1, count: 3 }` is the first of three. */
  split?: { index: number; count: number };
  /** The least the file must hold for all its tensors to be there. */
  bytesNeeded: number;
}

/**
 * ggml's tensor types: elements and bytes of one block, from ggml's type traits table
 * (github.com/ggml-org/ggml, src/ggml.c). Types missing here are not checked for their size.
 */
const BLOCKS: Readonly<Record<number, readonly [elements: number, bytes: number]>> = {
  0: [1, 4],
  1: [1, 2],
  2: [32, 18],
  3: [32, 20],
  6: [32, 22],
  7: [32, 24],
  8: [32, 34],
  10: [256, 84],
  11: [256, 110],
  12: [256, 144],
  13: [256, 176],
  14: [256, 210],
  16: [256, 66],
  17: [256, 74],
  18: [256, 98],
  19: [256, 50],
  20: [32, 18],
  21: [256, 110],
  22: [256, 82],
  23: [256, 136],
  24: [1, 1],
  25: [1, 2],
  26: [1, 4],
  27: [1, 8],
  28: [1, 8],
  29: [256, 56],
  30: [1, 2],
  34: [256, 54],
  35: [256, 66],
  39: [32, 17],
};

const FIRST_READ = 1 << 20;
/** A 256,000-token vocabulary takes about 10 MB of header; anything near this limit is not a model. */
const MOST_HEADER = 1 << 26;
const MOST_KEYS = 10_000;
const MOST_TENSORS = 100_000;
const MOST_TEXT = 1 << 20;

class NeedsMore extends Error {}

class Reader {
  private at = 0;
  private readonly view: DataView;
  constructor(private readonly bytes: Uint8Array<ArrayBuffer>) {
    this.view = new DataView(bytes.buffer);
  }
  get position(): number {
    return this.at;
  }
  skip(n: number): number {
    const start = this.at;
    if (!(n >= 0) || start + n > this.bytes.length) throw new NeedsMore();
    this.at = start + n;
    return start;
  }
  u32(): number {
    return this.view.getUint32(this.skip(4), true);
  }
  u64(): number {
    return Number(this.view.getBigUint64(this.skip(8), true));
  }
  text(): string {
    const length = this.u64();
    const start = this.skip(length);
    return new TextDecoder().decode(
      this.bytes.subarray(start, start + Math.min(length, MOST_TEXT)),
    );
  }
  /** Reads one metadata value; arrays are passed over, as none of them is wanted. */
  value(type: number): string | number | boolean | undefined {
    switch (type) {
      case 0:
        return this.view.getUint8(this.skip(1));
      case 1:
        return this.view.getInt8(this.skip(1));
      case 2:
        return this.view.getUint16(this.skip(2), true);
      case 3:
        return this.view.getInt16(this.skip(2), true);
      case 4:
        return this.u32();
      case 5:
        return this.view.getInt32(this.skip(4), true);
      case 6:
        return this.view.getFloat32(this.skip(4), true);
      case 7:
        return this.view.getUint8(this.skip(1)) !== 0;
      case 8:
        return this.text();
      case 9:
        this.array();
        return undefined;
      case 10:
        return this.u64();
      case 11:
        return Number(this.view.getBigInt64(this.skip(8), true));
      case 12:
        return this.view.getFloat64(this.skip(8), true);
      default:
        throw corrupt(say('gguf-value-type', type));
    }
  }
  private array(): void {
    const type = this.u32();
    const count = this.u64();
    const fixed = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8][type];
    if (fixed === undefined || type === 9) throw corrupt(say('gguf-list'));
    if (type !== 8) {
      this.skip(count * fixed);
      return;
    }
    for (let i = 0; i < count; i++) this.skip(this.u64());
  }
}

function corrupt(what: Words): EngineError {
  return new EngineError('corrupt', say('not-gguf', sentences([what])));
}

/**
 * Reads the header of a GGUF file (versions 2 and 3) and checks that the file is long enough for the
 * tensors it announces.
 * @throws EngineError `corrupt` when it is not GGUF, or cut off.
 */
export async function readGguf(file: Blob): Promise<GgufSummary> {
  for (let limit = FIRST_READ; ; limit *= 4) {
    const bytes = new Uint8Array(await file.slice(0, limit).arrayBuffer());
    try {
      const summary = parse(bytes);
      if (file.size < summary.bytesNeeded)
        throw corrupt(say('gguf-short', file.size, summary.bytesNeeded));
      return summary;
    } catch (error) {
      if (!(error instanceof NeedsMore)) throw error;
      if (bytes.length >= file.size) throw corrupt(say('gguf-ends'));
      if (limit >= MOST_HEADER) throw corrupt(say('gguf-endless'));
    }
  }
}

function parse(bytes: Uint8Array<ArrayBuffer>): GgufSummary {
  const reader = new Reader(bytes);
  // "GGUF", little-endian
  if (reader.u32() !== 0x46554747) throw corrupt(say('gguf-begin'));
  const version = reader.u32();
  if (version !== 2 && version !== 3) throw corrupt(say('gguf-version', String(version)));
  const tensors = reader.u64();
  const keys = reader.u64();
  if (tensors > MOST_TENSORS || keys > MOST_KEYS) throw corrupt(say('gguf-senseless'));

  const metadata = new Map<string, string | number | boolean>();
  for (let i = 0; i < keys; i++) {
    const key = reader.text();
    const value = reader.value(reader.u32());
    if (value !== undefined) metadata.set(key, value);
  }
  let end = 0;
  for (let i = 0; i < tensors; i++) {
    reader.text();
    const dimensions = reader.u32();
    if (dimensions > 8) throw corrupt(say('gguf-dimensions'));
    let elements = 1;
    for (let d = 0; d < dimensions; d++) elements *= reader.u64();
    const block = BLOCKS[reader.u32()];
    const offset = reader.u64();
    const size = block ? Math.ceil(elements / block[0]) * block[1] : 0;
    end = Math.max(end, offset + size);
  }

  const text = (key: string) => {
    const value = metadata.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const count = (key: string) => {
    const value = metadata.get(key);
    return typeof value === 'number' && value > 0 ? value : undefined;
  };
  const alignment = count('general.alignment') ?? 32;
  const architecture = text('general.architecture');
  const of = (key: string) => count(`${architecture}.${key}`);
  const splitCount = count('split.count');
  const splitIndex = metadata.get('split.no');
  const [layers, heads, width] = [
    of('block_count'),
    of('attention.head_count'),
    of('embedding_length'),
  ];
  const headWidth =
    of('attention.key_length') ?? (width !== undefined && heads ? width / heads : undefined);
  const keyHeads = of('attention.head_count_kv') ?? heads;
  return {
    name: text('general.name'),
    architecture,
    contextLength: of('context_length'),
    chatTemplate: text('tokenizer.chat_template'),
    cacheBytesPerToken:
      layers && keyHeads && headWidth ? Math.ceil(layers * keyHeads * headWidth * 4) : undefined,
    split:
      splitCount !== undefined && splitCount > 1
        ? { index: (typeof splitIndex === 'number' ? splitIndex : 0) + 1, count: splitCount }
        : undefined,
    bytesNeeded: Math.ceil(reader.position / alignment) * alignment + end,
  };
}
