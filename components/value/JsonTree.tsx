import { useState } from 'preact/hooks';
import type { JsonValue } from '../../lib/tools/tool';
import { Icon } from '../Icon';
import { plural, t } from '../text';

/** Children drawn at a time: a page may answer with a million. */
const PAGE = 100;
const LONGEST_TEXT = 2000;

/** A JSON value as nested rows. Levels and long lists are drawn only when they are opened. */
export function JsonTree({ value, label }: { value: JsonValue; label: string }) {
  return (
    <ul class="json-tree" aria-label={label}>
      <Node value={value} open />
    </ul>
  );
}

function Node({ name, value, open }: { name?: string; value: JsonValue; open?: boolean }) {
  const [isOpen, setOpen] = useState(open ?? false);
  const key = name === undefined ? null : <span class="json-key">{`${name}: `}</span>;
  if (value === null || typeof value !== 'object') {
    return (
      <li>
        {key}
        <Leaf value={value} />
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
      {isOpen && <Children value={value} />}
    </li>
  );
}

function Children({ value }: { value: JsonValue[] | { [key: string]: JsonValue } }) {
  const [shown, setShown] = useState(PAGE);
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
        <Node key={key} name={key} value={child} />
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

function Leaf({ value }: { value: string | number | boolean | null }) {
  const [whole, setWhole] = useState(false);
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
