import type { Reading } from '../../reader/read';
import type { ReadableTool } from '../../reader/text';
import type { Clock } from './dates';
import { fillRead } from './fill-read';
import type { Known } from './known';
import type { Intent } from './plan';

/** Reads a request held against some tools; `earlier` is what was said before it, nearest first. */
export type Read = (
  request: string,
  earlier: readonly string[],
  tools: readonly ReadableTool[],
  signal: AbortSignal,
) => Promise<Reading>;

/** Log-odds within which two tools that both serve are too close to choose between. */
const CLOSE = 0.7;

/** What the request asks for, in order: a part of it for each deed, with the tool and its arguments. */
export async function understand(
  read: Read,
  ask: string,
  earlier: readonly string[],
  tools: readonly Known[],
  clock: Clock | undefined,
  signal: AbortSignal,
): Promise<Intent[]> {
  const readable = tools.map(({ tool }) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters,
  }));
  const whole = await read(ask, earlier, readable, signal);
  const parts = partsOf(ask, whole.cuts);
  if (parts.length < 2) return [intentOf(whole, ask, [ask, ...earlier], tools, clock)];
  const intents: Intent[] = [];
  for (const [i, part] of parts.entries()) {
    const before = parts.slice(0, i).join(' ');
    const texts = i > 0 ? [part, before, ...earlier] : [part, ...earlier];
    const reading = await read(part, texts.slice(1), readable, signal);
    intents.push(intentOf(reading, part, texts, tools, clock));
  }
  // Parts that one and the same reading tool serves are one search, unless both fill the same argument.
  const [first, ...others] = intents;
  const tool = first?.best;
  if (tool?.reads && others.every((i) => i.best === tool)) {
    const slots = intents.map((i) => [...(i.filled?.values.keys() ?? [])]);
    const all = slots.flat();
    if (new Set(all).size === all.length)
      return [intentOf(whole, ask, [ask, ...earlier], tools, clock)];
  }
  // A part that nothing serves is no deed of its own where the whole names one tool.
  if (intents.filter((i) => i.best).length < 2) {
    const one = intentOf(whole, ask, [ask, ...earlier], tools, clock);
    if (one.best) return [one];
  }
  return intents;
}

const LINK =
  /^[\s,;.!?]*(?:(?:and|then|also|plus|und)\b[\s,]*)*|[\s,;.]*(?:\b(?:and|then))?[\s,;.]*$/gi;

function partsOf(ask: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts, ask.length];
  return places
    .slice(1)
    .map((end, i) => ask.slice(places[i], end).replace(LINK, '').trim())
    .filter((part) => part !== '');
}

function intentOf(
  reading: Reading,
  text: string,
  texts: readonly string[],
  tools: readonly Known[],
  clock: Clock | undefined,
): Intent {
  const serving = reading.tools.filter((t) => t.score > 0);
  const [top, ...rest] = serving;
  const best = top && tools.find((k) => k.tool.name === top.name);
  if (!top || !best) return { text, rivals: [] };
  const filled = fillRead(best, top, texts, clock);
  const rivals = best.reads
    ? []
    : rest
        .filter((t) => top.score - t.score < CLOSE)
        .flatMap((t) => tools.find((k) => k.tool.name === t.name) ?? []);
  return { text, best, filled, rivals: rivals.slice(0, 3) };
}
