import { useId, useMemo, useState } from 'preact/hooks';
import { canonical } from '../../lib/agent/arguments/json';
import type { Problem } from '../../lib/agent/events';
import type { CallCard } from '../../lib/agent/transcript';
import type { JsonObject, JsonSchema, JsonValue } from '../../lib/tools/tool';
import { type Draft, draftOf, readDraft, setAt } from '../form/draft';
import { FieldInput } from '../form/FieldInput';
import { type Field, isObject, type NamedField, readForm } from '../form/field';
import { inputId, pathKey, samePath } from '../form/paths';
import { tell } from '../said';
import { t } from '../text';
import { asJson } from '../value/as-json';
import { JsonTree, Leaf } from '../value/JsonTree';
import { ArgumentRows, Doubts } from './ArgumentRows';

/** A call's arguments while the user may still change them. */
export interface EditableArguments {
  fields: readonly NamedField[];
  draft: Draft;
  /** Names of the arguments the user changed; all others stay exactly what the model wrote. */
  changed: ReadonlySet<string>;
  /** What is wrong with what was changed. */
  problems: readonly { path: readonly string[]; message: string }[];
  /** The arguments as they stand, where any was changed and none is wrong. */
  edited: JsonObject | undefined;
  change: (path: readonly string[], value: Draft) => void;
}

/** Without a schema there is nothing to edit by: the values can only be read. */
export function useEditableArguments(
  given: unknown,
  schema: JsonSchema | undefined,
): EditableArguments {
  const args = useMemo(() => {
    const value = asJson(given);
    return isObject(value) ? value : {};
  }, [given]);
  const fields = useMemo(() => readForm(schema).map(forApproval), [schema]);
  const [draft, setDraft] = useState(() => draftOf(fields, args));
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const read = readDraft(fields, draft);
  const problems = read.problems.filter(({ path }) => changed.has(path[0] ?? ''));
  const kept = Object.entries(args).filter(([name]) => !changed.has(name));
  const own = Object.entries(read.value).filter(([name]) => changed.has(name));
  return {
    fields,
    draft,
    changed,
    problems,
    edited:
      changed.size > 0 && problems.length === 0 ? Object.fromEntries([...kept, ...own]) : undefined,
    change: (path, value) => {
      setDraft(setAt(draft, path, value));
      setChanged(new Set([...changed, path[0] ?? '']));
    },
  };
}

interface ApprovalValuesProps {
  call: CallCard;
  values: EditableArguments;
  /** The host's, of what was sent last. */
  refused: readonly Problem[];
  origin: string;
  id: string;
}

/**
 * Every value that is about to be sent, each as a labelled input. What an input cannot show whole
 * stands whole below it; what the schema does not name stands below them all.
 */
export function ApprovalValues({ call, values, refused, origin, id }: ApprovalValuesProps) {
  const [all, setAll] = useState(false);
  const label = useId();
  const args = asJson(call.arguments);
  const { fields, draft, changed, problems } = values;
  if (!isObject(args) || fields.length === 0)
    return <Rows call={call} args={args} origin={origin} />;
  const known = new Set(fields.map(({ name }) => name));
  const isShown = ({ name, field }: NamedField) =>
    all || field.required || Object.hasOwn(args, name) || changed.has(name);
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !known.has(name)));
  const problemAt = (path: readonly string[]) => {
    const own = problems.find((problem) => pathKey(problem.path) === pathKey(path));
    if (own) return own.message;
    const found = refused.find((problem) => samePath(problem.path, path));
    return found ? tell({ text: found.message, said: found.said }) : '';
  };
  return (
    <fieldset class="approval-values" aria-labelledby={label}>
      <legend class="hidden" id={label}>
        {t('arguments')}
      </legend>
      {fields.filter(isShown).map(({ name, field }) => {
        const value = Object.hasOwn(args, name) ? args[name] : undefined;
        const isChanged = changed.has(name);
        return (
          <div
            class="approval-value"
            key={name}
            data-testid="approval-value"
            data-changed={isChanged}
          >
            <FieldInput
              field={field}
              path={[name]}
              draft={draft instanceof Map ? draft.get(name) : undefined}
              formId={id}
              problemAt={problemAt}
              onChange={values.change}
              onLeave={() => undefined}
            />
            {isChanged ? (
              <p class="small-print" dir="auto">
                {value === undefined
                  ? t('valueAdded')
                  : t('valueChanged', typeof value === 'string' ? value : JSON.stringify(value))}
              </p>
            ) : (
              <>
                {value !== undefined && needsWhole({ name, field }, value) && (
                  <Whole name={name} value={value} />
                )}
                <Doubts
                  name={name}
                  unsourced={call.unsourced}
                  foreign={call.foreign}
                  origin={origin}
                />
              </>
            )}
          </div>
        );
      })}
      {Object.keys(rest).length > 0 && <Rows call={call} args={rest} origin={origin} />}
      {!all && fields.some((field) => !isShown(field)) && (
        <button type="button" class="link-button" onClick={() => setAll(true)}>
          {t('approvalMoreValues')}
        </button>
      )}
    </fieldset>
  );
}

/** Puts the cursor into the first input that is wrong. */
export function focusFirstProblem(id: string, problems: EditableArguments['problems']): void {
  const [first] = problems;
  if (first) document.getElementById(inputId(id, first.path))?.focus();
}

function Rows({ call, args, origin }: { call: CallCard; args: JsonValue; origin: string }) {
  return (
    <ArgumentRows
      arguments={args}
      unsourced={call.unsourced}
      foreign={call.foreign}
      origin={origin}
      whole
    />
  );
}

function Whole({ name, value }: { name: string; value: JsonValue }) {
  if (typeof value === 'object' && value !== null) {
    return <JsonTree value={value} label={name} whole />;
  }
  return (
    <div class="argument-value" dir="auto">
      <Leaf value={value} whole />
    </div>
  );
}

/** Control characters, and what turns or hides text. */
const UNSEEN = /\p{C}/u;
const MAX_INPUT = 2000;

/** Whether the input alone would leave something of the value out of sight. */
function needsWhole(named: NamedField, value: JsonValue): boolean {
  const { field, name } = named;
  const written = textsOf(value).join('');
  if (written.length > MAX_INPUT || UNSEEN.test(written) || hasOwnLabels(field)) return true;
  const read = readDraft([named], draftOf([named], { [name]: value })).value;
  return !Object.hasOwn(read, name) || canonical(read[name]) !== canonical(value);
}

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Whether an option is called otherwise than what it sends. */
function hasOwnLabels(field: Field): boolean {
  switch (field.kind) {
    case 'choice':
    case 'many':
      return field.options.some(({ label, value }) => label !== String(value));
    case 'object':
      return field.fields.some((one) => hasOwnLabels(one.field));
    case 'list':
      return hasOwnLabels(field.item);
    default:
      return false;
  }
}

const MAX_HELP = 160;

/**
 * A field as an approval shows it: by its own name beside its title, and empty where the call says
 * nothing, since only what the call says is sent.
 */
function forApproval({ name, field }: NamedField): NamedField {
  const label = field.label === name ? name : `${field.label} (${name})`;
  const description =
    field.description.length > MAX_HELP
      ? `${field.description.slice(0, MAX_HELP)}…`
      : field.description;
  const plain = withoutFallback(field);
  const shown = plain.kind === 'text' && plain.input === 'text' ? { multiline: true } : {};
  return { name, field: { ...plain, label, description, ...shown } };
}

function withoutFallback(field: Field): Field {
  const { fallback: _, ...rest } = field;
  if (rest.kind === 'object') {
    const fields = rest.fields.map((one) => ({ ...one, field: withoutFallback(one.field) }));
    return { ...rest, fields };
  }
  return rest.kind === 'list' ? { ...rest, item: withoutFallback(rest.item) } : rest;
}
