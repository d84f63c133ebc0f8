import { useEffect, useRef, useState } from 'preact/hooks';
import { isConsequential } from '../../lib/agent/approval';
import type { Problem } from '../../lib/agent/events';
import type { ListedTool, RunToolResult } from '../../lib/messages/host-api';
import type { JsonObject, JsonValue } from '../../lib/tools/tool';
import { SchemaForm } from '../form/SchemaForm';
import { Icon } from '../Icon';
import { Told, tellError } from '../said';
import { formatDuration, t } from '../text';
import { toolTitle } from '../tool-title';
import { ValueView } from '../value/ValueView';

interface ToolRunnerProps {
  listed: ListedTool;
  values?: JsonValue;
  problems?: readonly Problem[];
  runTool: (key: string, args: JsonObject) => Promise<RunToolResult>;
  onClose?: () => void;
  onChange?: (values: JsonObject) => void;
}

type Run =
  | { state: 'idle' }
  | { state: 'running' }
  | { state: 'done'; result: RunToolResult }
  | { state: 'error'; message: string };

/** A tool's form, run by hand, with what came back below it. */
export function ToolRunner(props: ToolRunnerProps) {
  const { listed, values, problems, runTool, onClose, onChange } = props;
  const [run, setRun] = useState<Run>({ state: 'idle' });
  /** Of a binding tool: what was filled in and waits for a second word. */
  const [sure, setSure] = useState<JsonObject | null>(null);
  const title = toolTitle(listed.tool);
  const start = async (args: JsonObject) => {
    setRun({ state: 'running' });
    try {
      setRun({ state: 'done', result: await runTool(listed.tool.key, args) });
    } catch (error) {
      setRun({ state: 'error', message: tellError(error) });
    }
  };
  return (
    <div class="runner">
      <SchemaForm
        schema={listed.tool.inputSchema}
        values={values}
        problems={run.state === 'done' ? run.result.problems : problems}
        submitLabel={run.state === 'running' ? t('running') : t('run')}
        busy={run.state === 'running'}
        onSubmit={(args) => {
          if (isConsequential(listed.tool)) setSure(args);
          else start(args).catch(() => undefined);
        }}
        onCancel={onClose}
        onChange={(values) => {
          setSure(null);
          onChange?.(values);
        }}
      />
      {sure && (
        <section class="sure" aria-label={t('runSure', title)}>
          <p>
            <Icon name="warning" />
            <span dir="auto">{t('runSure', `\u2068${title}\u2069`)}</span>
          </p>
          <div class="buttons">
            <button type="button" ref={focusFirst} onClick={() => setSure(null)}>
              {t('cancel')}
            </button>
            <button
              type="button"
              class="binding"
              data-testid="run-sure"
              onClick={() => {
                setSure(null);
                start(sure).catch(() => undefined);
              }}
            >
              <span dir="auto">{t('allowDeed', `\u2068${title}\u2069`)}</span>
            </button>
          </div>
        </section>
      )}
      {run.state === 'error' && (
        <p class="problem" role="alert">
          {run.message}
        </p>
      )}
      {run.state === 'done' && <Outcome result={run.result} />}
    </div>
  );
}

/** The safe answer has the focus. */
function focusFirst(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** What a run by hand brought. Takes the focus when it appears, as it is what the user waited for. */
export function Outcome({ result }: { result: RunToolResult }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (result.outcome) box.current?.focus();
  }, [result]);
  const { outcome, ms } = result;
  if (!outcome) return null;
  return (
    <section class="outcome" ref={box} tabIndex={-1} aria-label={t('callResult')}>
      {outcome.kind === 'result' && (
        <>
          <p class="quiet">{t('runDone', formatDuration(ms))}</p>
          {outcome.value === null ? (
            <p class="quiet">{t('callNoResult')}</p>
          ) : (
            <ValueView text={outcome.value} label={t('callResult')} />
          )}
          {outcome.note && (
            <p class="doubt">
              <Told words={outcome.note} />
            </p>
          )}
          {outcome.navigatedTo && <p class="quiet">{t('callNavigated', outcome.navigatedTo)}</p>}
        </>
      )}
      {outcome.kind === 'error' && (
        <>
          <p class="problem">
            <Told words={{ text: outcome.message, said: outcome.said }} />
          </p>
          {outcome.mayHaveRun && <p class="doubt">{t('callMayHaveRun')}</p>}
        </>
      )}
      {outcome.kind === 'changed' && <p class="problem">{t('runChanged')}</p>}
    </section>
  );
}
