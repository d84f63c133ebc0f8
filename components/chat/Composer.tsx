import type { Signal } from '@preact/signals';
import type { ComponentChildren, RefObject, TargetedKeyboardEvent } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from '../Icon';
import { t } from '../text';

interface ComposerProps {
  /** A turn of this conversation runs or waits: what is sent now waits for it. */
  busy: boolean;
  disabled?: boolean;
  /** The text. Nothing else is drawn again while it changes. */
  draft: Signal<string>;
  inputRef: RefObject<HTMLTextAreaElement | null>;
  onSend: (text: string) => void;
  onStop: () => void;
  /** Stands before the text. */
  children?: ComponentChildren;
}

/** Enter sends, Shift+Enter breaks. It has the focus when it appears, unless something else has it. */
export function Composer(props: ComposerProps) {
  const { busy, disabled, draft, inputRef: input, onSend, onStop, children } = props;
  useEffect(() => {
    const at = document.activeElement;
    if (!disabled && (!at || at === document.body)) input.current?.focus();
  }, [disabled, input]);
  const text = draft.value;
  const send = () => {
    if (disabled || text.trim() === '') return;
    onSend(text.trim());
    draft.value = '';
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
        onInput={(event) => {
          draft.value = event.currentTarget.value;
        }}
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
