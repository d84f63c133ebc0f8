import type { LanguageModelSession, PromptMessage } from './language-model';

/**
 * Keeps what the model has read already. The instructions and tools are read once into a base session;
 * each conversation continues a clone of it, and goes on in the same clone as long as it only grows.
 */
export interface SessionKeeper {
  /** A session that has read `system` and, where it could be kept, the start of `turns`. */
  take(system: string, turns: PromptMessage[], signal: AbortSignal): Promise<Taken>;
  /** The session has read these turns, its own reply last; the next request may go on from there. */
  keep(taken: Taken, turns: PromptMessage[]): void;
  /** Gives up all sessions. */
  clear(): void;
}

export interface Taken {
  session: LanguageModelSession;
  system: string;
  /** Turns it still has to read. */
  rest: PromptMessage[];
  /** Nothing of the prompt was read before this request. */
  fresh: boolean;
}

interface Kept {
  session: LanguageModelSession;
  system: string;
  turns: PromptMessage[];
}

export function createSessionKeeper(
  create: (system: string, signal: AbortSignal) => Promise<LanguageModelSession>,
): SessionKeeper {
  let base: { session: LanguageModelSession; system: string } | undefined;
  let kept: Kept | undefined;

  function drop(): void {
    kept?.session.destroy();
    kept = undefined;
  }

  return {
    async take(system, turns, signal) {
      if (kept && kept.system === system && continues(kept.turns, turns)) {
        const { session } = kept;
        const rest = turns.slice(kept.turns.length);
        // Taken out until it is known to be whole: a stopped prompt leaves it in an unknown state.
        kept = undefined;
        return { session, system, rest, fresh: false };
      }
      drop();
      const fresh = base?.system !== system;
      if (fresh) {
        base?.session.destroy();
        base = undefined;
        base = { session: await create(system, signal), system };
      }
      const session = await base?.session.clone({ signal });
      if (!session) throw new Error('no session');
      return { session, system, rest: turns, fresh };
    },
    keep(taken, turns) {
      drop();
      kept = { session: taken.session, system: taken.system, turns };
    },
    clear() {
      drop();
      base?.session.destroy();
      base = undefined;
    },
  };
}

function continues(known: PromptMessage[], turns: PromptMessage[]): boolean {
  return (
    known.length < turns.length &&
    known.every(
      (turn, i) => turn.role === turns[i]?.role && turn.content.trim() === turns[i]?.content.trim(),
    )
  );
}
