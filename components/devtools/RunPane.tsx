import { useState } from 'preact/hooks';
import type { ListedTool, RunToolResult } from '../../lib/messages/host-api';
import type { SavedInput } from '../../lib/settings/saved-inputs';
import type { JsonObject } from '../../lib/tools/tool';
import { CopyButton, Fold, IconButton, Select } from '../controls';
import { formatDuration, formatTime, t } from '../text';
import { ToolRunner } from '../tools/ToolRunner';
import { oneLine } from '../value/one-line';
import { JsonRunner } from './JsonRunner';
import type { DevtoolsIntents } from './panel';
import { executeSnippet, registerSnippet } from './snippets';
import type { RunRecord } from './state';

interface RunPaneProps {
  listed: readonly ListedTool[];
  runs: readonly RunRecord[];
  saved: readonly SavedInput[];
  selected: string | undefined;
  onSelect: (key: string) => void;
  intents: Pick<DevtoolsIntents, 'runTool' | 'saveInput' | 'forgetInput'>;
}

/** Runs a tool by hand, from a form or from JSON, and keeps what was tried. */
export function RunPane({ listed, runs, saved, selected, onSelect, intents }: RunPaneProps) {
  const [how, setHow] = useState<'form' | 'json'>('form');
  /** What the inputs start with; a new object starts them anew. */
  const [start, setStart] = useState<{ id: number; values: JsonObject }>({ id: 0, values: {} });
  const [last, setLast] = useState<JsonObject>({});
  const chosen = listed.find(({ tool }) => tool.key === selected) ?? listed[0];
  if (!chosen) return <p class="quiet pane">{t('devNoTools')}</p>;
  const { tool } = chosen;
  const fill = (values: JsonObject) => {
    setLast(values);
    setStart({ id: start.id + 1, values });
  };
  const runTool = (key: string, args: JsonObject): Promise<RunToolResult> => {
    setLast(args);
    return intents.runTool(key, args);
  };
  const inputs = saved.filter((input) => input.toolName === tool.name);
  const key = `${tool.key} ${how} ${start.id}`;
  return (
    <div class="pane run-pane">
      <div class="bar wrap">
        <Select
          label={t('runTool')}
          hideLabel
          value={tool.key}
          choices={listed.map((item) => ({ value: item.tool.key, label: item.tool.name }))}
          onChange={(next) => {
            onSelect(next);
            fill({});
          }}
          testId="run-tool"
        />
        <fieldset class="segments">
          <legend class="hidden">{t('runHow')}</legend>
          <button type="button" aria-pressed={how === 'form'} onClick={() => setHow('form')}>
            {t('runForm')}
          </button>
          <button type="button" aria-pressed={how === 'json'} onClick={() => setHow('json')}>
            {t('formJson')}
          </button>
        </fieldset>
        <span class="snippet">
          {t('copyRegister')}
          <CopyButton text={() => registerSnippet(tool)} label={t('copyRegister')} />
        </span>
        <span class="snippet">
          {t('copyExecute')}
          <CopyButton text={() => executeSnippet(tool.name, last)} label={t('copyExecute')} />
        </span>
      </div>
      <p class="small-print" dir="auto">
        {tool.description.slice(0, 400)}
      </p>
      {how === 'form' ? (
        <ToolRunner
          key={key}
          listed={chosen}
          values={start.values}
          runTool={runTool}
          onChange={setLast}
        />
      ) : (
        <JsonRunner
          key={key}
          listed={chosen}
          values={Object.keys(last).length > 0 ? last : start.values}
          runTool={runTool}
          onChange={setLast}
        />
      )}
      <SaveInput
        key={tool.key}
        onSave={(label) => intents.saveInput({ toolName: tool.name, label, arguments: last })}
      />
      {inputs.length > 0 && (
        <ul class="rows" aria-label={t('savedInputs')}>
          {inputs.map((input) => (
            <li key={input.label}>
              <button type="button" class="link-button" onClick={() => fill(input.arguments)}>
                {input.label}
              </button>
              <span class="small-print" dir="auto">
                {oneLine(input.arguments)}
              </span>
              <IconButton
                icon="delete"
                label={t('deleteInput', input.label)}
                onClick={() => intents.forgetInput(input)}
              />
            </li>
          ))}
        </ul>
      )}
      <History runs={runs.filter((run) => run.toolName === tool.name)} onFill={fill} />
    </div>
  );
}

function SaveInput({ onSave }: { onSave: (label: string) => void }) {
  const [label, setLabel] = useState('');
  return (
    <form
      class="bar"
      onSubmit={(event) => {
        event.preventDefault();
        if (label.trim() === '') return;
        onSave(label.trim());
        setLabel('');
      }}
    >
      <input
        aria-label={t('saveInputAs')}
        placeholder={t('saveInputAs')}
        value={label}
        maxLength={80}
        onInput={(event) => setLabel(event.currentTarget.value)}
      />
      <button type="submit" class="small" disabled={label.trim() === ''}>
        {t('save')}
      </button>
    </form>
  );
}

interface HistoryProps {
  runs: readonly RunRecord[];
  onFill: (values: JsonObject) => void;
}

function History({ runs, onFill }: HistoryProps) {
  if (runs.length === 0) return null;
  return (
    <Fold summary={<span>{t('runHistory', runs.length)}</span>} open>
      <ul class="rows">
        {runs.map((run) => (
          <li key={run.id}>
            <button type="button" class="link-button" onClick={() => onFill(run.arguments)}>
              {formatTime(run.at)}
            </button>
            <span class="small-print" dir="auto">
              {`${oneLine(run.arguments)} → ${outcomeLine(run.result)}`}
            </span>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

function outcomeLine({ problems, outcome, ms }: RunToolResult): string {
  if (!outcome) return problems[0]?.message ?? '–';
  const took = formatDuration(ms);
  if (outcome.kind === 'result') return `${took} ${oneLine(outcome.value ?? '–')}`;
  if (outcome.kind === 'error') return `${took} ${oneLine(outcome.message)}`;
  return t('runChanged');
}
