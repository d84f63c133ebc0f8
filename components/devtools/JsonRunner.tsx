import { useId, useState } from 'preact/hooks';
import { checkArguments } from '../../lib/agent/arguments/check';
import type { Problem } from '../../lib/agent/events';
import { wordsOfProblem } from '../../lib/agent/events';
import type { ListedTool, RunToolResult } from '../../lib/messages/host-api';
import type { Words } from '../../lib/said/said';
import type { JsonObject, JsonValue } from '../../lib/tools/tool';
import { isObject } from '../form/field';
import { Told, tell, tellError } from '../said';
import { t } from '../text';
import { Outcome } from '../tools/ToolRunner';

interface JsonRunnerProps {
  listed: ListedTool;
  values: JsonObject;
  runTool: (key: string, args: JsonObject) => Promise<RunToolResult>;
  onChange: (values: JsonObject) => void;
}

/** Arguments as raw JSON, checked against the declared schema while they are typed. */
export function JsonRunner({ listed, values, runTool, onChange }: JsonRunnerProps) {
  const [text, setText] = useState(() => JSON.stringify(values, null, 2));
  const [result, setResult] = useState<RunToolResult | null>(null);
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const id = useId();
  const read = readArguments(text, listed);
  const run = async () => {
    if (!read.value || busy) return;
    setBusy(true);
    setError('');
    try {
      setResult(await runTool(listed.tool.key, read.value));
    } catch (failure) {
      setError(tellError(failure));
    } finally {
      setBusy(false);
    }
  };
  const start = () => {
    run().catch(() => undefined);
  };
  const problems = [...read.problems, ...(result?.problems ?? [])];
  return (
    <div class="runner">
      <div class="field">
        <label for={id}>{t('arguments')}</label>
        <textarea
          id={id}
          class="code"
          rows={10}
          spellcheck={false}
          dir="ltr"
          value={text}
          aria-invalid={problems.length > 0}
          aria-describedby={`${id}-problems`}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setResult(null);
            const now = readArguments(event.currentTarget.value, listed);
            if (now.value) onChange(now.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              start();
            }
          }}
        />
        <div id={`${id}-problems`}>
          {problems.map((problem) => (
            <p class="problem" key={`${problem.path} ${problem.message}`}>
              <Told words={wordsOfProblem(problem)} />
            </p>
          ))}
          {read.unchecked.map((note) => (
            <p class="doubt" key={note.text}>
              {t('callUnchecked', tell(note))}
            </p>
          ))}
        </div>
      </div>
      <div class="buttons">
        <button type="button" class="primary" disabled={!read.value || busy} onClick={start}>
          {busy ? t('running') : t('run')}
        </button>
      </div>
      {error !== '' && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      {result && <Outcome result={result} />}
    </div>
  );
}

interface ReadArguments {
  /** Absent where the text is no JSON object; problems of the schema do not take it away. */
  value?: JsonObject;
  problems: Problem[];
  unchecked: Words[];
}

function readArguments(text: string, { tool }: ListedTool): ReadArguments {
  let value: JsonValue;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch (error) {
    const message = t('problemJson', error instanceof Error ? error.message : String(error));
    return { problems: [{ path: '', message }], unchecked: [] };
  }
  if (!isObject(value)) {
    return { problems: [{ path: '', message: t('problemObject') }], unchecked: [] };
  }
  return { value, ...checkArguments(tool.inputSchema, value) };
}
