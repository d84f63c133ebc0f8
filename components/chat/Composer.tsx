import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../Icon';
import { t } from '../text';

interface ComposerProps {
  /** A turn of this conversation runs or waits. */
  busy: boolean;
  disabled?: boolean;
  /** Text put in from outside, a suggestion; a new object replaces what is there. */
  seed?: { text: string };
  onSend: (text: string) => void;
  onStop: () => void;
  /** Stands before the text. */
  children?: ComponentChildren;
}

/** Enter sends, Shift+Enter breaks, Escape stops. Its text is its own: streaming never re-renders it away. */
export function Composer({ busy, disabled, seed, onSend, onStop, children }: ComposerProps) {
  const [text, setText] = useState('');
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (!seed) return;
    setText(seed.text);
    input.current?.focus();
  }, [seed]);
  const send = () => {
    if (busy || disabled || text.trim() === '') return;
    onSend(text.trim());
    setText('');
    input.current?.focus();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => {
    // Input methods use Enter to choose a candidate.
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {children}
      <textarea
        ref={input}
        data-testid="composer"
        aria-label={t('composer')}
        placeholder={t('composerPlaceholder')}
        rows={1}
        value={text}
        maxLength={20_000}
        disabled={disabled}
        dir="auto"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {busy ? (
        <button
          type="button"
          class="icon-button send stop"
          data-testid="stop"
          aria-label={t('stop')}
          title={t('stopHint')}
          onClick={() => {
            onStop();
            input.current?.focus();
          }}
        >
          <Icon name="stop" />
        </button>
      ) : (
        <button
          type="submit"
          class="icon-button send"
          data-testid="send"
          aria-label={t('send')}
          title={t('send')}
          disabled={disabled || text.trim() === ''}
        >
          <Icon name="send" />
        </button>
      )}
    </form>
  );
}
