import type { ComponentChildren, TargetedKeyboardEvent, TargetedSubmitEvent } from 'preact';
import { useId, useMemo, useState } from 'preact/hooks';
import { type Problem, wordsOfProblem } from '../../lib/agent/events';
import type { JsonObject, JsonSchema, JsonValue } from '../../lib/tools/tool';
import { Told, tell } from '../said';
import { t } from '../text';
import { draftOf, inputPaths, readDraft, setAt } from './draft';
import { FieldInput } from './FieldInput';
import { readForm } from './field';
import { inputId, pathKey, samePath } from './paths';

interface SchemaFormProps {
  schema: JsonSchema | undefined;
  values?: JsonValue;
  /** Said by the host about the values last sent; shown beside the argument each concerns. */
  problems?: readonly Problem[];
  submitLabel: string;
  busy?: boolean;
  onSubmit: (values: JsonObject) => void;
  onCancel?: () => void;
  /** Hears every change, valid or not. */
  onChange?: (values: JsonObject, valid: boolean) => void;
  extra?: ComponentChildren;
}

/**
 * A form made from a tool's schema. Problems show once an input was left or the form was sent, and
 * go away as soon as they are mended. Ctrl/Cmd+Enter sends from anywhere in it.
 */
export function SchemaForm(props: SchemaFormProps) {
  const { schema, values, problems = [], submitLabel, busy, onSubmit, onCancel, onChange } = props;
  const fields = useMemo(() => readForm(schema), [schema]);
  const [draft, setDraft] = useState(() => draftOf(fields, values));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [sent, setSent] = useState(false);
  const id = useId();
  const read = readDraft(fields, draft);

  const problemAt = (path: readonly string[]): string => {
    const key = pathKey(path);
    const own = read.problems.find((problem) => pathKey(problem.path) === key);
    if (own) return sent || touched.has(key) ? own.message : '';
    const found = problems.find((problem) => samePath(problem.path, path));
    return found ? tell(wordsOfProblem(found)) : '';
  };
  const paths = inputPaths(fields, draft);
  const general = problems.filter((problem) => !paths.some((path) => samePath(problem.path, path)));
  const submit = () => {
    setSent(true);
    if (read.problems.length === 0) onSubmit(read.value);
    else focusProblem(id, read.problems[0]?.path ?? []);
  };
  return (
    <form
      class="schema-form"
      noValidate
      data-testid="schema-form"
      onSubmit={(event: TargetedSubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event: TargetedKeyboardEvent<HTMLFormElement>) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          submit();
        }
      }}
    >
      {fields.length === 0 && <p class="quiet">{t('formNoArguments')}</p>}
      {fields.map(({ name, field }) => (
        <FieldInput
          key={name}
          field={field}
          path={[name]}
          draft={draft instanceof Map ? draft.get(name) : undefined}
          formId={id}
          problemAt={problemAt}
          onChange={(path, value) => {
            const next = setAt(draft, path, value);
            setDraft(next);
            const now = readDraft(fields, next);
            onChange?.(now.value, now.problems.length === 0);
          }}
          onLeave={(path) => setTouched(new Set([...touched, pathKey(path)]))}
        />
      ))}
      {general.map((problem) => (
        <p class="problem" role="alert" key={problem.message}>
          <Told words={wordsOfProblem(problem)} />
        </p>
      ))}
      <div class="buttons">
        {props.extra}
        {onCancel && (
          <button type="button" onClick={onCancel}>
            {t('cancel')}
          </button>
        )}
        <button type="submit" class="primary" disabled={busy}>
          {submitLabel}
        </button>
      </div>
    </form>
  );
}

function focusProblem(formId: string, path: readonly string[]): void {
  document.getElementById(inputId(formId, path))?.focus();
}
