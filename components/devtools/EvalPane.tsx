import { useState } from 'preact/hooks';
import type { Difference } from '../../lib/evals/score';
import { Icon } from '../Icon';
import { OpenFile, withText } from '../OpenFile';
import { formatList, t } from '../text';
import { oneLine } from '../value/one-line';
import type { ReplayedCase } from './replay';
import type { Replaying } from './state';

interface EvalPaneProps {
  turns: number;
  replaying: Replaying;
  onRecord: () => void;
  onReplay: (text: string, tools: 'page' | 'recorded') => void;
  onStop: () => void;
}

/** Keeps the conversation as a test case, and runs recorded cases again against recorded results. */
export function EvalPane({ turns, replaying, onRecord, onReplay, onStop }: EvalPaneProps) {
  const [recordedTools, setRecordedTools] = useState(false);
  return (
    <div class="pane">
      <p>{t('evalText')}</p>
      <div class="buttons start">
        <button type="button" disabled={turns === 0} onClick={onRecord} data-testid="record-eval">
          <Icon name="export" />
          {t('evalRecord')}
        </button>
        <OpenFile
          icon="retry"
          label={t('evalReplay')}
          disabled={replaying.state === 'running'}
          onFiles={withText((text) => onReplay(text, recordedTools ? 'recorded' : 'page'))}
          testId="replay-file"
        />
        {replaying.state === 'running' && (
          <button type="button" onClick={onStop}>
            <Icon name="stop" />
            {t('stop')}
          </button>
        )}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={recordedTools}
          onChange={(event) => setRecordedTools(event.currentTarget.checked)}
        />
        {t('evalRecordedTools')}
      </label>
      {replaying.state === 'running' && (
        <p role="status">{t('evalRunning', replaying.done, replaying.total)}</p>
      )}
      {replaying.state === 'done' && <Replayed cases={replaying.cases} />}
    </div>
  );
}

function Replayed({ cases }: { cases: readonly ReplayedCase[] }) {
  const good = cases.filter(({ turns }) => turns.every((turn) => turn.differences.length === 0));
  return (
    <>
      <p role="status" data-testid="replayed">
        {t('evalDone', good.length, cases.length)}
      </p>
      {cases.map((one, index) => (
        <section key={`${index} ${one.id}`}>
          <h2 dir="auto">{one.id}</h2>
          <ul class="findings">
            {one.turns.map((turn, at) => (
              <li
                key={`${at} ${turn.ask}`}
                data-severity={turn.differences.length === 0 ? 'fine' : 'warning'}
              >
                <p class="finding">
                  <Icon name={turn.differences.length === 0 ? 'done' : 'failed'} />
                  <span dir="auto">{turn.ask}</span>
                </p>
                {turn.calls.map((call, nth) => (
                  <p key={`${nth} ${call.name}`}>
                    <code dir="auto">{`${call.name} ${oneLine(call.arguments)}`}</code>
                  </p>
                ))}
                {turn.calls.length === 0 && <p>{t('askNoCall')}</p>}
                {turn.differences.map((difference) => (
                  <p class="problem" key={JSON.stringify(difference)}>
                    {wordsOf(difference)}
                  </p>
                ))}
                {turn.text !== '' && (
                  <p class="quiet" dir="auto">
                    {turn.text}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function wordsOf(difference: Difference): string {
  const names = (tools: readonly string[]) =>
    tools.length > 0 ? formatList(tools) : t('askNoCall');
  switch (difference.kind) {
    case 'calls':
      return t('evalTool', names(difference.expected), names(difference.got));
    case 'missing':
      return t('evalMissing', difference.argument);
    case 'unexpected':
      return t('evalUnexpected', difference.argument);
    case 'value':
      return t(
        'evalValue',
        difference.argument,
        JSON.stringify(difference.expected),
        JSON.stringify(difference.got),
      );
    case 'refused':
      return t('evalRefused', difference.message);
    case 'not-asked':
      return t('evalNotAsked', difference.argument);
    case 'asked':
      return t('evalAsked', difference.question);
    case 'not-said':
      return t('evalNotSaid', difference.words);
    case 'silent':
    case 'not-run':
      return t('evalSilent');
    case 'forbidden':
      return t('evalForbidden', difference.tool);
  }
}
