import type { ComponentChildren, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ConversationInfo } from '../../lib/messages/host-api';
import { IconButton } from '../controls';
import { Icon } from '../Icon';
import { formatList, t } from '../text';

/** What a conversation's model may read of the page. */
export type Shared = ConversationInfo['shared'];

interface ShareButtonProps {
  shared: Shared;
  open: boolean;
  disabled: boolean;
  buttonRef: RefObject<HTMLButtonElement | null>;
  onClick: () => void;
}

/** Opens the switches; coloured, with an open eye, while anything is shared. */
export function ShareButton({ shared, open, disabled, buttonRef, onClick }: ShareButtonProps) {
  const on = names(shared).length > 0;
  return (
    <button
      type="button"
      class="icon-button share-button"
      data-testid="share"
      data-on={on}
      ref={buttonRef}
      aria-label={t('sharePage')}
      title={t('sharePage')}
      aria-expanded={open}
      aria-controls={open ? 'share' : undefined}
      aria-describedby={on && !open ? 'share-state' : undefined}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={on ? 'shared' : 'unshared'} />
    </button>
  );
}

interface ShareProps {
  shared: Shared;
  open: boolean;
  onShare: (change: NonNullable<Shared>) => void;
  /** Closes the switches and gives the focus back to their button. */
  onClose: () => void;
}

/**
 * The two switches while they are open, else one line that says what is shared, else nothing. They show
 * what the host has confirmed, never what was merely clicked.
 */
export function Share({ shared, open, onShare, onClose }: ShareProps) {
  if (open) return <ShareSheet shared={shared} onShare={onShare} onClose={onClose} />;
  const on = names(shared);
  if (on.length === 0) return null;
  return (
    <p class="share-state" data-testid="share-state">
      <span id="share-state">{t('shareOn', formatList(on))}</span>
      <IconButton
        icon="close"
        label={t('shareStop')}
        testId="share-stop"
        onClick={() => {
          onShare({ text: false, selection: false });
          onClose();
        }}
      />
    </p>
  );
}

function ShareSheet({ shared, onShare, onClose }: Omit<ShareProps, 'open'>) {
  const sheet = useRef<HTMLElement>(null);
  // They stand before the button that opened them, where Tab would not lead.
  useLayoutEffect(() => sheet.current?.querySelector<HTMLElement>('[role=switch]')?.focus(), []);
  return (
    <section
      class="share-sheet"
      id="share"
      ref={sheet}
      aria-labelledby="share-title"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onClose();
      }}
    >
      <div class="bar">
        <h2 id="share-title">{t('sharePage')}</h2>
        <IconButton icon="close" label={t('close')} onClick={onClose} />
      </div>
      <Switch
        on={shared?.text === true}
        testId="share-text"
        onChange={(text) => onShare({ text })}
        describedBy="share-help"
      >
        {t('shareText')}
      </Switch>
      <Switch
        on={shared?.selection === true}
        testId="share-selection"
        onChange={(selection) => onShare({ selection })}
        describedBy="share-help"
      >
        {t('shareSelection')}
      </Switch>
      <p class="small-print" id="share-help">
        {t('shareHelp')}
      </p>
    </section>
  );
}

interface SwitchProps {
  on: boolean;
  onChange: (on: boolean) => void;
  describedBy: string;
  testId: string;
  children: ComponentChildren;
}

/** A button, as a checkbox would show a click that was refused as if it had been obeyed. */
function Switch({ on, onChange, describedBy, testId, children }: SwitchProps) {
  const label = useId();
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      data-testid={testId}
      aria-checked={on}
      aria-labelledby={label}
      aria-describedby={describedBy}
      onClick={() => onChange(!on)}
    >
      <span id={label}>{children}</span>
      <span class="switch-track" aria-hidden="true" />
    </button>
  );
}

function names(shared: Shared): string[] {
  return [
    ...(shared?.text ? [t('shareText')] : []),
    ...(shared?.selection ? [t('shareSelection')] : []),
  ];
}
