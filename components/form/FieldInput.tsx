import type { TargetedEvent } from 'preact';
import { IconButton } from '../controls';
import { t } from '../text';
import { type Draft, emptyDraft } from './draft';
import type { Field } from './field';
import { inputId } from './paths';

interface FieldInputProps {
  field: Field;
  path: readonly string[];
  draft: Draft;
  formId: string;
  problemAt: (path: readonly string[]) => string;
  onChange: (path: readonly string[], value: Draft) => void;
  onLeave: (path: readonly string[]) => void;
}

/** One labelled input, or a group of them, with its description and its problem. */
export function FieldInput(props: FieldInputProps) {
  const { field, path, formId, problemAt } = props;
  const id = inputId(formId, path);
  const problem = problemAt(path);
  const describedBy = [field.description && `${id}-help`, problem && `${id}-problem`]
    .filter(Boolean)
    .join(' ');
  const notes = (
    <>
      {field.description && (
        <p class="help" id={`${id}-help`} dir="auto">
          {field.description}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </>
  );
  const name = (
    <>
      <span dir="auto">{field.label || t('formItem')}</span>
      {field.required && <span class="required" title={t('formRequired')} aria-hidden="true" />}
    </>
  );
  if (field.kind === 'object' || field.kind === 'list' || field.kind === 'many') {
    return (
      <fieldset class="field group" aria-describedby={describedBy || undefined}>
        <legend id={id} tabIndex={-1}>
          {name}
        </legend>
        {notes}
        <Group {...props} />
      </fieldset>
    );
  }
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <Single {...props} id={id} describedBy={describedBy || undefined} invalid={problem !== ''} />
      {notes}
    </div>
  );
}

function Group({ field, path, draft, onChange, ...rest }: FieldInputProps) {
  if (field.kind === 'object') {
    return (
      <>
        {field.fields.map((inner) => (
          <FieldInput
            key={inner.name}
            {...rest}
            onChange={onChange}
            field={inner.field}
            path={[...path, inner.name]}
            draft={draft instanceof Map ? draft.get(inner.name) : undefined}
          />
        ))}
      </>
    );
  }
  const items = Array.isArray(draft) ? draft : [];
  if (field.kind === 'many') {
    return (
      <div class="checks">
        {field.options.map((option, index) => (
          <label key={option.label}>
            <input
              type="checkbox"
              checked={items[index] === true}
              onChange={(event: TargetedEvent<HTMLInputElement>) => {
                const marks = field.options.map((_, at) => items[at] === true);
                marks[index] = event.currentTarget.checked;
                onChange(path, marks);
              }}
            />
            <span dir="auto">{option.label}</span>
          </label>
        ))}
      </div>
    );
  }
  if (field.kind !== 'list') return null;
  return (
    <>
      {items.map((item, index) => (
        <div class="list-row" key={index}>
          <FieldInput
            {...rest}
            onChange={onChange}
            field={{ ...field.item, label: field.item.label || t('formItemNumber', index + 1) }}
            path={[...path, String(index)]}
            draft={item}
          />
          <IconButton
            icon="close"
            label={t('formRemoveItem', index + 1)}
            onClick={() => onChange(path, items.toSpliced(index, 1))}
          />
        </div>
      ))}
      <button
        type="button"
        class="small"
        disabled={field.max !== undefined && items.length >= field.max}
        onClick={() => onChange(path, [...items, emptyDraft(field.item)])}
      >
        {t('formAddItem')}
      </button>
    </>
  );
}

interface SingleProps extends FieldInputProps {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}

function Single(props: SingleProps) {
  const { field, path, draft, id, describedBy, invalid, onChange, onLeave } = props;
  const common = {
    id,
    'aria-describedby': describedBy,
    'aria-invalid': invalid,
    'aria-required': field.required,
    onBlur: () => onLeave(path),
  };
  const text = typeof draft === 'string' ? draft : '';
  const onText = (
    event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>,
  ) => onChange(path, event.currentTarget.value === '' ? undefined : event.currentTarget.value);
  switch (field.kind) {
    case 'choice':
      return (
        <select {...common} value={text} onChange={onText}>
          <option value="">{t('formNotSet')}</option>
          {field.options.map((option, index) => (
            <option key={option.label} value={String(index)} selected={text === String(index)}>
              {option.label}
            </option>
          ))}
        </select>
      );
    case 'boolean':
      if (field.required && field.nullable !== true) {
        return (
          <input
            {...common}
            type="checkbox"
            checked={draft === true}
            onChange={(event: TargetedEvent<HTMLInputElement>) =>
              onChange(path, event.currentTarget.checked)
            }
          />
        );
      }
      return (
        <select
          {...common}
          value={draft === undefined ? '' : String(draft)}
          onChange={(event: TargetedEvent<HTMLSelectElement>) => {
            const chosen = event.currentTarget.value;
            onChange(path, chosen === '' ? undefined : chosen === 'true');
          }}
        >
          <option value="">{t('formNotSet')}</option>
          <option value="true">{t('yes')}</option>
          <option value="false">{t('no')}</option>
        </select>
      );
    case 'number':
      return (
        <input
          {...common}
          type="number"
          inputMode={field.integer ? 'numeric' : 'decimal'}
          min={field.min}
          max={field.max}
          step={field.step ?? (field.integer ? 1 : 'any')}
          value={text}
          onInput={onText}
        />
      );
    case 'json':
      return (
        <textarea
          {...common}
          class="code"
          rows={4}
          spellcheck={false}
          value={text}
          placeholder={t('formJson')}
          onInput={onText}
        />
      );
    case 'text':
      return field.multiline ? (
        <textarea
          {...common}
          rows={3}
          value={text}
          placeholder={field.example}
          dir="auto"
          onInput={onText}
        />
      ) : (
        <input
          {...common}
          // Preact types every kind of input apart; what is set here fits them all.
          type={field.input as 'text'}
          value={text}
          placeholder={field.example}
          dir="auto"
          onInput={onText}
        />
      );
    default:
      return null;
  }
}
