import { fold, type Marker, type Tail } from './markers';

/** Longest name or attribute list inside a marker; anything longer is text. */
const MAX_TAIL = 256;

interface Node {
  next: Map<string, Node>;
  /** The markers that are whole here, or would be after their tail. */
  plain?: Marker;
  tailed: Tailed[];
}

/** All markers as one trie over folded characters. */
export interface MarkerTrie {
  root: Node;
}

const newNode = (): Node => ({ next: new Map(), tailed: [] });

export function buildTrie(markers: readonly Marker[]): MarkerTrie {
  const root = newNode();
  for (const marker of markers) {
    let node = root;
    for (const c of marker.open) {
      let child = node.next.get(c);
      if (!child) {
        child = newNode();
        node.next.set(c, child);
      }
      node = child;
    }
    const tail = 'tail' in marker ? marker.tail : undefined;
    if (tail) node.tailed.push({ tail, marker });
    else if (!node.plain || marker.kind === 'call') node.plain = marker;
  }
  return { root };
}

/** `length`: how many of the characters read are the marker's; any after them are still to be read. */
interface Hit {
  marker: Marker;
  length: number;
}
type Match = 'more' | 'none' | Hit;

/** Matches one marker, one character at a time. Constant work per character. */
export interface Matcher {
  /** Whether a marker can begin with `c`; if so it has begun. */
  start(c: string): boolean;
  feed(c: string): Match;
  /** What is whole if the text ends here. */
  atEnd(): Hit | undefined;
}

interface Tailed {
  tail: Tail;
  marker: Marker;
}

export function createMatcher(trie: MarkerTrie): Matcher {
  let node: Node | undefined;
  let tail: Tailed | undefined;
  let length = 0;
  let tailLength = 0;
  /** A fence is whole after three characters, whatever follows, unless a longer marker fits. */
  let fence: Hit | undefined;

  function enterTail(c: string, from: Node): Match {
    for (const candidate of from.tailed) {
      if (candidate.tail === 'word-end') {
        if (!/[\w-]/.test(c)) return { marker: candidate.marker, length: length - 1 };
      } else if (candidate.tail === 'attributes' && c === '>') {
        return { marker: candidate.marker, length };
      } else if (candidate.tail === 'name' ? /[\w."'-]/.test(c) : /\s/.test(c)) {
        tail = candidate;
        tailLength = 1;
        return 'more';
      }
    }
    return fence ?? 'none';
  }

  return {
    start(c) {
      node = trie.root.next.get(fold(c));
      tail = undefined;
      fence = undefined;
      length = 1;
      return node !== undefined;
    },
    feed(c) {
      length++;
      if (tail) {
        if (c === '>') return { marker: tail.marker, length };
        const broken = c === '<' || (tail.tail === 'name' && c === '\n');
        return broken || ++tailLength > MAX_TAIL ? 'none' : 'more';
      }
      if (!node) return 'none';
      const child = node.next.get(fold(c));
      if (!child) return enterTail(c, node);
      node = child;
      if (child.plain) return { marker: child.plain, length };
      const whole = child.tailed.find((t) => t.marker.kind === 'fence');
      if (whole) fence = { marker: whole.marker, length };
      return 'more';
    },
    atEnd() {
      const whole = node?.tailed.find((t) => t.tail === 'word-end');
      return whole && !tail ? { marker: whole.marker, length } : fence;
    },
  };
}
