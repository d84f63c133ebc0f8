import type { ComponentChildren, RefObject, TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import { Icon, type IconName } from './Icon';
import { t } from './text';

interface IconButtonProps {
  icon: IconName;
  label: string;
  onClick: () => void;
  testId?: string;
  disabled?: boolean;
  pressed?: boolean;
  class?: string;
  buttonRef?: RefObject<HTMLButtonElement | null>;
}

/** A button that shows only an icon; its label is its name and its tooltip. */
export function IconButton(props: IconButtonProps) {
  return (
    <button
      type="button"
      ref={props.buttonRef}
      class={`icon-button ${props.class ?? ''}`}
      aria-label={props.label}
      title={props.label}
      aria-pressed={props.pressed}
      disabled={props.disabled}
      data-testid={props.testId}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}

/** Copies a text and says so for a moment, in the button itself. */
export function CopyButton({ text, label }: { text: string | (() => string); label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
    setCopied(true);
  };
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={copied ? t('copied') : (label ?? t('copy'))}
      title={copied ? t('copied') : (label ?? t('copy'))}
      onClick={() => {
        copy().catch(() => setCopied(false));
      }}
      onBlur={() => setCopied(false)}
      onPointerLeave={() => setCopied(false)}
    >
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}

interface FoldProps {
  summary: ComponentChildren;
  children: ComponentChildren;
  open?: boolean;
  class?: string;
  onToggle?: (open: boolean) => void;
}

/** A native disclosure. What it hides is not rendered until it is opened for the first time. */
export function Fold({ summary, children, open = false, class: extra, onToggle }: FoldProps) {
  const [seen, setSeen] = useState(open);
  return (
    <details
      class={`fold ${extra ?? ''}`}
      open={open}
      onToggle={(event: TargetedEvent<HTMLDetailsElement>) => {
        if (event.currentTarget.open) setSeen(true);
        onToggle?.(event.currentTarget.open);
      }}
    >
      <summary>
        <Icon name="chevron" class="fold-mark" />
        {summary}
      </summary>
      {seen && <div class="fold-body">{children}</div>}
    </details>
  );
}

export interface Choice<T extends string> {
  value: T;
  label: string;
}

interface SelectProps<T extends string> {
  label: string;
  value: T;
  choices: readonly Choice<T>[];
  onChange: (value: T) => void;
  testId?: string;
  hideLabel?: boolean;
  disabled?: boolean;
}

/** A labelled native select. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, value, choices, onChange, testId, hideLabel, disabled } = props;
  const select = (
    <select
      value={value}
      disabled={disabled}
      data-testid={testId}
      aria-label={hideLabel ? label : undefined}
      onChange={(event: TargetedEvent<HTMLSelectElement>) => {
        const chosen = choices.find((choice) => choice.value === event.currentTarget.value);
        if (chosen) onChange(chosen.value);
      }}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value} selected={choice.value === value}>
          {choice.label}
        </option>
      ))}
    </select>
  );
  if (hideLabel) return select;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the select is inside
    <label class="field-row">
      <span>{label}</span>
      {select}
    </label>
  );
}

interface TabsProps<T extends string> {
  label: string;
  tabs: readonly (Choice<T> & { icon?: IconName; testId?: string })[];
  current: T;
  panelId: string;
  onSelect: (value: T) => void;
}

/** A tab list with arrow keys, as the ARIA practices describe it; the panel is the caller's. */
export function Tabs<T extends string>({ label, tabs, current, panelId, onSelect }: TabsProps<T>) {
  const move = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const step = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1 }[event.key];
    const at = tabs.findIndex((tab) => tab.value === current);
    const edge = { Home: 0, End: tabs.length - 1 }[event.key];
    const next = edge ?? (step === undefined ? undefined : (at + step + tabs.length) % tabs.length);
    const target = next === undefined ? undefined : tabs[next];
    if (!target) return;
    event.preventDefault();
    onSelect(target.value);
    const buttons = event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]');
    buttons[tabs.indexOf(target)]?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          type="button"
          key={tab.value}
          role="tab"
          id={`${panelId}-tab-${tab.value}`}
          aria-selected={tab.value === current}
          aria-controls={panelId}
          tabIndex={tab.value === current ? 0 : -1}
          data-testid={tab.testId}
          onClick={() => onSelect(tab.value)}
        >
          {tab.icon && <Icon name={tab.icon} />}
          <span>{tab.label}</span>
        </button>
      ))}
    </div>
  );
}

interface ScrollBoxProps {
  label: string;
  class: string;
  children: ComponentChildren;
  boxRef?: RefObject<HTMLElement | null>;
  dir?: 'auto' | 'ltr';
}

/** A box that scrolls: named, and reachable by keyboard, as nothing in it may be. */
export function ScrollBox({ label, class: name, children, boxRef, dir }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section class={name} aria-label={label} ref={boxRef} tabIndex={0} dir={dir}>
      {children}
    </section>
  );
}
