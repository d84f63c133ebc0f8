import { useState } from 'preact/hooks';
import type { JsonValue } from '../../lib/tools/tool';
import { Icon } from '../Icon';
import { plural, t } from '../text';

/** Children drawn at a time: a page may answer with a million. */
const PAGE = 100;
const LONGEST_TEXT = 2000;
/** Children of a list that are drawn at once where everything is wanted. */
const MOST_WHOLE = 2000;

interface JsonTreeProps {
  value: JsonValue;
  label: string;
  /** Every level stands open and every text whole; what is more than {@link MOST_WHOLE} in one list is said. */
  whole?: boolean;
}

/** A JSON value as nested rows. Levels and long lists are drawn only when they are opened. */
export function JsonTree({ value, label, whole = false }: JsonTreeProps) {
  return (
    <ul class="json-tree" aria-label={label}>
      <Node value={value} open whole={whole} />
    </ul>
  );
}

interface NodeProps {
  name?: string;
  value: JsonValue;
  open: boolean;
  whole: boolean;
}

function Node({ name, value, open, whole }: NodeProps) {
  const [isOpen, setOpen] = useState(open);
  const key = name === undefined ? null : <span class="json-key">{`${name}: `}</span>;
  if (value === null || typeof value !== 'object') {
    return (
      <li>
        {key}
        <Leaf value={value} whole={whole} />
      </li>
    );
  }
  const list = Array.isArray(value);
  const count = list ? value.length : Object.keys(value).length;
  if (count === 0) {
    return (
      <li>
        {key}
        <span class="json-none">{list ? '[]' : '{}'}</span>
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        class="json-branch"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="chevron" class={isOpen ? 'turned' : ''} />
        {key}
        <span class="json-none">{list ? plural('items', count) : plural('fields', count)}</span>
      </button>
      {isOpen && <Children value={value} whole={whole} />}
    </li>
  );
}

interface ChildrenProps {
  value: JsonValue[] | { [key: string]: JsonValue };
  whole: boolean;
}

function Children({ value, whole }: ChildrenProps) {
  const [shown, setShown] = useState(whole ? MOST_WHOLE : PAGE);
  const keys = Object.keys(value);
  const entries = Array.isArray(value)
    ? value.slice(0, shown).map((item, index): [string, JsonValue] => [String(index), item])
    : keys
        .slice(0, shown)
        .map((key): [string, JsonValue] => [
          key,
          (value as Record<string, JsonValue>)[key] ?? null,
        ]);
  const left = keys.length - entries.length;
  return (
    <ul>
      {entries.map(([key, child]) => (
        <Node key={key} name={key} value={child} open={whole} whole={whole} />
      ))}
      {left > 0 && (
        <li>
          <button type="button" class="link-button" onClick={() => setShown(shown + PAGE)}>
            {t('showMore', left)}
          </button>
        </li>
      )}
    </ul>
  );
}

interface LeafProps {
  value: string | number | boolean | null;
  whole?: boolean;
}

/** A value without parts. A long text is cut, with a button that shows the rest. */
export function Leaf({ value, whole: wholeAtOnce = false }: LeafProps) {
  const [whole, setWhole] = useState(wholeAtOnce);
  if (typeof value !== 'string') {
    return <span class={`json-${value === null ? 'none' : typeof value}`}>{String(value)}</span>;
  }
  const cut = !whole && value.length > LONGEST_TEXT;
  return (
    <span class="json-string" dir="auto">
      {cut ? `${value.slice(0, LONGEST_TEXT)}…` : value}
      {cut && (
        <button type="button" class="link-button" onClick={() => setWhole(true)}>
          {t('showMore', value.length - LONGEST_TEXT)}
        </button>
      )}
    </span>
  );
}
