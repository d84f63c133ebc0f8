import { type Words, WordsError, wordsOfError } from '../said/said';
import { say, sentences } from '../said/say';
import type { Catalog } from '../tools/tool';
import type { EndReason, Remedy } from './events';
import { untilAborted } from './stop';
import type { Turn } from './turn';

/**
 * The turn cannot use its page. Thrown by the loop; whoever stops a turn because its page went away
 * aborts the turn's signal with it. The message says what is in the way and what the user can do.
 */
export class UnreachableError extends WordsError {
  constructor(
    readonly reason: Extract<EndReason, 'page-gone' | 'page-restricted' | 'page-reload'>,
    words: Words,
    options?: ErrorOptions,
  ) {
    super(words, options);
    this.name = 'UnreachableError';
  }

  get remedies(): Remedy[] {
    return this.reason === 'page-restricted' ? ['retry'] : ['reload-page', 'retry'];
  }
}

/** A tab that was closed cannot be reloaded: asked again, the turn runs on the page it is shown on. */
export class TabClosedError extends UnreachableError {
  constructor() {
    super('page-gone', say('tab-was-closed'));
  }
  override get remedies(): Remedy[] {
    return ['retry'];
  }
}

const CAUSES = {
  restricted: {
    reason: 'page-restricted',
    words: say('obstacle-restricted'),
  },
  reload: {
    reason: 'page-reload',
    words: say('obstacle-reload'),
  },
  asleep: {
    reason: 'page-reload',
    words: say('obstacle-asleep'),
  },
} as const;

/**
 * The page's tools, collected afresh. A tab that sleeps is woken. Throws {@link UnreachableError} where
 * the tab is gone, or where the turn begins on a page that nothing can be done on; a page that the turn
 * itself led to is told of, and the turn goes on.
 */
export async function collectTools(turn: Turn): Promise<Catalog> {
  const { page } = turn.options;
  let catalog = await collect(turn);
  if (catalog.obstacle === 'asleep' && page.wake !== undefined) {
    turn.emit({ type: 'notice', level: 'info', ...say('tab-woken') });
    await reached(turn, page.wake(turn.signal));
    catalog = await collect(turn);
  }
  const { obstacle } = catalog;
  if (obstacle === undefined) return catalog;
  if (obstacle === 'no-page') throw new TabClosedError();
  const { reason, words } = CAUSES[obstacle];
  if (turn.catalog === undefined && !canRead(turn, catalog)) {
    throw new UnreachableError(reason, words);
  }
  if (turn.catalog?.obstacle !== obstacle) {
    turn.emit({ type: 'notice', level: 'warning', ...words });
  }
  return catalog;
}

/** A page whose tools cannot be seen may still be read, where the user shared it. */
function canRead(turn: Turn, catalog: Catalog): boolean {
  const { shared } = turn.options;
  return catalog.obstacle === 'reload' && (shared?.text === true || shared?.selection === true);
}

const collect = (turn: Turn) => reached(turn, turn.options.page.collect(turn.signal));

async function reached<T>(turn: Turn, work: Promise<T>): Promise<T> {
  try {
    return await untilAborted(work, turn.signal);
  } catch (error) {
    turn.signal.throwIfAborted();
    const words = say('page-unreachable', sentences([wordsOfError(error)]));
    throw new UnreachableError('page-gone', words, { cause: error });
  }
}
