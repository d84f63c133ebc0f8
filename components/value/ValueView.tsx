import { useState } from 'preact/hooks';
import type { JsonValue } from '../../lib/tools/tool';
import { CopyButton, ScrollBox } from '../controls';
import { t } from '../text';
import { JsonTree } from './JsonTree';
import { readable } from './readable';

type Shape = 'tree' | 'text' | 'raw';
const LONGEST_RAW = 100_000;

/** What a tool answered: as a tree where it is JSON, as readable text, or exactly as it came. */
export function ValueView({ text, label }: { text: string; label: string }) {
  const parsed = parse(text);
  const [shape, setShape] = useState<Shape>(parsed === undefined ? 'text' : 'tree');
  const shapes: { value: Shape; label: string }[] = [
    ...(parsed === undefined ? [] : [{ value: 'tree' as const, label: t('valueTree') }]),
    { value: 'text', label: t('valueText') },
    { value: 'raw', label: t('valueRaw') },
  ];
  return (
    <div class="value">
      <div class="value-bar">
        <fieldset class="segments">
          <legend class="hidden">{t('valueShape')}</legend>
          {shapes.map((choice) => (
            <button
              type="button"
              key={choice.value}
              aria-pressed={shape === choice.value}
              onClick={() => setShape(choice.value)}
            >
              {choice.label}
            </button>
          ))}
        </fieldset>
        <CopyButton text={text} label={t('copyResult')} />
      </div>
      {shape === 'tree' && parsed !== undefined ? (
        <JsonTree value={parsed} label={label} />
      ) : (
        <ScrollBox class="value-text" label={label} dir="auto">
          <pre>{cut(shape === 'raw' || parsed === undefined ? text : readable(parsed))}</pre>
        </ScrollBox>
      )}
    </div>
  );
}

function parse(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.length > LONGEST_RAW ? `${text.slice(0, LONGEST_RAW)}…` : text;
}
