import type { Reading, ToolReading } from '../../reader/read';
import type { ReadableTool } from '../../reader/text';
import type { Clock } from './dates';
import { datesIn } from './dates';
import { fillRead } from './fill-read';
import type { Known } from './known';
import type { Intent } from './plan';
import { isStopWord, wordsOf } from './words';

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
  filled.left.push(...unused(text, best, top, filled.left, clock));
  const rivals = best.reads
    ? []
    : rest
        .filter((t) => top.score - t.score < CLOSE)
        .flatMap((t) => tools.find((k) => k.tool.name === t.name) ?? []);
  return { text, best, filled, rivals: rivals.slice(0, 3) };
}

/**
 * Numbers, days and names of the request that reached no argument and are no word of the tool: what
 * the reader may have overlooked.
 */
function unused(
  text: string,
  known: Known,
  reading: ToolReading,
  told: readonly string[],
  clock: Clock | undefined,
): string[] {
  const used = reading.slots.flatMap((s) => s.words.filter((w) => w.part === 0));
  const chosen = new Set(
    reading.slots.flatMap((s) => s.choices.flatMap((c) => wordsOf(String(c)).map((w) => w.stem))),
  );
  const isUsed = (start: number, end: number): boolean =>
    used.some((w) => start < w.end && w.start < end);
  const days = datesIn(text, clock).filter((d) => !isUsed(d.start, d.end));
  const words = wordsOf(text).filter((w, i) => {
    if (isUsed(w.start, w.end) || isStopWord(w.text) || chosen.has(w.stem)) return false;
    if (known.nameStems.includes(w.stem) || known.aboutStems.has(w.stem)) return false;
    if (known.slotStems.has(w.stem) || known.choiceStems.has(w.stem)) return false;
    if (/^\d/.test(w.text)) return true;
    const first = i === 0 || /[.!?]\s*$/.test(text.slice(0, w.start));
    return (
      !first && /^\p{Lu}\p{Ll}/u.test(text.slice(w.start)) && !/^I['’]/.test(text.slice(w.start))
    );
  });
  const found = [
    ...days.map((d) => text.slice(d.start, d.end)),
    ...words
      .filter((w) => !days.some((d) => w.start < d.end && d.start < w.end))
      .map((w) => text.slice(w.start, w.end)),
  ];
  return found.filter((f) => !told.some((t) => t.toLowerCase().includes(f.toLowerCase())));
}
