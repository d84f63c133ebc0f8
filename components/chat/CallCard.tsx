import { useState } from 'preact/hooks';
import type { CallCard as Call } from '../../lib/agent/transcript';
import type { ListedTool, RunToolResult } from '../../lib/messages/host-api';
import type { Words } from '../../lib/said/said';
import type { JsonValue } from '../../lib/tools/tool';
import { Boundary } from '../Boundary';
import { Fold } from '../controls';
import { Icon, type IconName } from '../Icon';
import { Told, tell } from '../said';
import { formatDuration, formatList, type MessageKey, t } from '../text';
import { toolTitle } from '../tool-title';
import { ToolRunner } from '../tools/ToolRunner';
import { ToolSource } from '../tools/ToolSource';
import { asJson } from '../value/as-json';
import { oneLine } from '../value/one-line';
import { ValueView } from '../value/ValueView';
import { Approval } from './Approval';
import { ArgumentRows } from './ArgumentRows';
import { CallNotes } from './CallNotes';
import type { ChatIntents } from './intents';

const STATES: Record<Call['state'], { icon: IconName; label: MessageKey }> = {
  proposed: { icon: 'running', label: 'callProposed' },
  'awaiting-approval': { icon: 'approve', label: 'callAwaiting' },
  running: { icon: 'running', label: 'callRunning' },
  done: { icon: 'done', label: 'callDone' },
  failed: { icon: 'failed', label: 'callFailed' },
  denied: { icon: 'denied', label: 'callDenied' },
  invalid: { icon: 'alert', label: 'callInvalid' },
};

/** The user ended it: no failure of anybody. */
const STOPPED: { icon: IconName; label: MessageKey } = { icon: 'stop', label: 'callStopped' };

interface CallCardProps {
  call: Call;
  /** The tool as the page offers it now; absent once it is gone. */
  listed?: ListedTool;
  intents: Pick<ChatIntents, 'answerApproval' | 'runTool'>;
}

/** One call in the conversation: a row that opens to its arguments and result. */
export function CallCard(props: CallCardProps) {
  return (
    <Boundary>
      <Card {...props} />
    </Boundary>
  );
}

function Card({ call, listed, intents }: CallCardProps) {
  const stopped = call.state === 'failed' && call.said?.code === 'call-stopped';
  const state = stopped ? STOPPED : STATES[call.state];
  const waiting = call.state === 'awaiting-approval';
  const title = toolTitle(call.tool ?? call);
  return (
    <article
      class="call"
      data-testid="call-card"
      data-state={call.state}
      data-stopped={stopped}
      data-tool={call.name}
      aria-label={t('callOf', title)}
    >
      {waiting ? (
        <Approval call={call} listed={listed} onAnswer={intents.answerApproval} />
      ) : (
        <Fold
          class="call-fold"
          summary={
            <span class="call-summary">
              <Icon name={state.icon} class="call-icon" />
              <span class="call-name" dir="auto">
                {title}
              </span>
              <span class="call-state">{t(state.label)}</span>
              {call.ms !== undefined && <span class="call-ms">{formatDuration(call.ms)}</span>}
              <span class="call-line" dir="auto">
                {summaryLine(call)}
              </span>
            </span>
          }
        >
          <CallDetails call={call} listed={listed} runTool={intents.runTool} />
        </Fold>
      )}
    </article>
  );
}

/** What a tool answered; `null` where it gave nothing back, which a browser may write as `undefined`. */
const resultOf = ({ result }: Call) => (result === 'undefined' ? null : result);

const errorOf = ({ error = '', said }: Call): Words => ({ text: error, said });

/** What the row says without being opened: what went wrong, what came back, or what was asked. */
function summaryLine(call: Call): string {
  if (call.state === 'invalid' || call.state === 'failed') return oneLine(tell(errorOf(call)), 120);
  if (call.search) return oneLine(call.search.matched.join(', '), 80);
  const result = resultOf(call);
  if (typeof result === 'string' && result !== '') return oneLine(parsed(result), 80);
  return oneLine(asJson(call.arguments), 80);
}

function parsed(text: string): JsonValue {
  if (text.length > 20_000) return text.slice(0, 400);
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}

interface CallDetailsProps {
  call: Call;
  listed: ListedTool | undefined;
  runTool: (key: string, args: { [key: string]: JsonValue }) => Promise<RunToolResult>;
}

function CallDetails({ call, listed, runTool }: CallDetailsProps) {
  const [editing, setEditing] = useState(false);
  const result = resultOf(call);
  return (
    <>
      {call.tool && <ToolSource origin={call.tool.origin} name={call.tool.name} />}
      {editing && listed ? (
        <ToolRunner
          listed={listed}
          values={asJson(call.arguments)}
          problems={call.problems}
          runTool={runTool}
          onClose={() => setEditing(false)}
        />
      ) : (
        <>
          <ArgumentRows
            arguments={asJson(call.arguments)}
            problems={call.problems}
            unsourced={call.unsourced}
            foreign={call.foreign}
            origin={call.tool?.origin}
          />
          <CallNotes call={call} />
          {call.error !== undefined && call.problems.length === 0 && (
            <p class="problem">
              <Told words={errorOf(call)} />
            </p>
          )}
          {call.mayHaveRun && <p class="doubt">{t('callMayHaveRun')}</p>}
          {call.navigatedTo && (
            <p class="quiet" dir="auto">
              {t('callNavigated', call.navigatedTo)}
            </p>
          )}
          {call.search && <p class="quiet">{searchLine(call.search)}</p>}
          {typeof result === 'string' && <ValueView text={result} label={t('callResult')} />}
          {result === null && <p class="quiet">{t('callNoResult')}</p>}
          {listed && (
            <div class="buttons">
              <button type="button" class="small" onClick={() => setEditing(true)}>
                {t('fillForm')}
              </button>
            </div>
          )}
        </>
      )}
    </>
  );
}

function searchLine(search: NonNullable<Call['search']>): string {
  const found =
    search.matched.length > 0 ? t('searchFound', formatList(search.matched)) : t('searchNothing');
  return search.fallback ? `${found} ${t('searchFallback', search.fallback)}` : found;
}
