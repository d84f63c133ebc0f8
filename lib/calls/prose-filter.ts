import type { Sink } from './flow';
import { newRepairBudget } from './lenient-json';
import { createReplyReader } from './reply-reader';
import type { ParseOptions } from './result';

/** What may be shown so far. */
export interface ShownReply {
  prose: string;
  /** Text of thoughts, for a part the reader can fold open. */
  thinking: string;
}

export interface ReplyFilter {
  /** Takes the next piece of the reply, however it is cut. */
  push(delta: string): ShownReply;
  /** What is left at the end of the reply. The filter is then ready for the next one. */
  flush(): ShownReply;
}

export interface ReplyFilterOptions extends ParseOptions {
  /** The tools offered. With them, calls that only their name gives away are held back too. */
  toolNames?: ReadonlySet<string>;
}

/**
 * Splits a reply into prose and thoughts while it streams. Whatever may still become call markup is
 * held back, everything else comes out at once, and no character is lost or doubled: the pieces
 * together are what `parseToolCalls` calls `text` and `thinking`, but for whitespace at the ends and
 * text already shown when a thought turns out to have ended that never began.
 */
export function createReplyFilter(options: ReplyFilterOptions = {}): ReplyFilter {
  let prose = '';
  let thinking = '';
  const sink: Sink = {
    prose(text) {
      prose += text;
    },
    thinking(text) {
      thinking += text;
    },
    markup() {},
    unmarked() {},
    thoughtLeftOpen() {},
    strayThoughtEnd() {},
  };
  const context = {
    toolNames: options.toolNames,
    slots: options.slots,
    dialect: options.dialect,
    budget: newRepairBudget(),
  };
  const reader = createReplyReader(sink, context, options.thinking);
  function shown(): ShownReply {
    const out = { prose, thinking };
    prose = '';
    thinking = '';
    return out;
  }
  return {
    push(delta) {
      reader.push(delta);
      return shown();
    },
    flush() {
      reader.end();
      context.budget = newRepairBudget();
      return shown();
    },
  };
}

export interface ProseFilter {
  /** Takes the next piece of the reply; returns the prose that is safe to show so far. */
  push(delta: string): string;
  /** Returns the prose that is left at the end of the reply. The filter is then ready for the next one. */
  flush(): string;
}

/**
 * Shows a streaming reply's prose and holds back its markup: `createReplyFilter` without thoughts.
 *
 * ```ts
 * const filter = createProseFilter();
 * filter.push('Sure <tool_'); // 'Sure '
 * filter.push('call>{"name":"open_cart"}</tool_call> done'); // ' done'
 * filter.flush(); // ''
 * ```
 */
export function createProseFilter(): ProseFilter {
  const filter = createReplyFilter();
  return {
    push: (delta) => filter.push(delta).prose,
    flush: () => filter.flush().prose,
  };
}
