import { effect } from '@preact/signals';
import type { Desk } from './desk';
import type { Drafts } from './drafts';
import { isBusy } from './state';

/** A message written while the conversation is at work: it waits, in sight, for the answer. */
export interface NextMessage {
  /** A second one is added to the first. */
  add(text: string): void;
  /** Back into the composer, in front of what stands there. */
  takeBack(): void;
}

/**
 * One waiting message for each conversation. It is sent when the answer is there. A turn that ends in
 * any other way, Stop among them, changes what the user may want to say: the message goes back into the
 * composer.
 */
export function createNextMessage(
  desk: Desk,
  drafts: Drafts,
  send: (text: string) => void,
  closing: AbortSignal,
): NextMessage {
  const { state, set } = desk;
  const put = (conversationId: string, text: string | undefined) => {
    const next = new Map(state.value.next);
    if (text === undefined) next.delete(conversationId);
    else next.set(conversationId, text);
    set({ next });
  };
  /** Takes the shown conversation's message out of the line. */
  const take = () => {
    const id = state.value.conversation?.id;
    const text = id === undefined ? undefined : state.value.next.get(id);
    if (id !== undefined && text !== undefined) put(id, undefined);
    return text;
  };
  const takeBack = () => {
    const { tab } = state.value;
    const text = take();
    if (!tab || text === undefined) return;
    const draft = drafts.of(tab.id);
    draft.value = draft.value.trim() === '' ? text : `${text}\n${draft.value}`;
  };
  const stop = effect(() => {
    const { conversation, next, turns } = state.value;
    if (!conversation || !next.has(conversation.id) || isBusy(state.value)) return;
    if (turns.at(-1)?.end?.reason !== 'answered') return takeBack();
    const text = take();
    if (text !== undefined) send(text);
  });
  closing.addEventListener('abort', stop, { once: true });
  return {
    add(text) {
      const id = state.value.conversation?.id;
      if (id === undefined) return;
      const before = state.value.next.get(id);
      put(id, before === undefined ? text : `${before}\n${text}`);
    },
    takeBack,
  };
}
