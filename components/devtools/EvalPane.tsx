import { useRef } from 'preact/hooks';
import { Icon } from '../Icon';
import { t } from '../text';
import { oneLine } from '../value/one-line';
import type { Difference, ReplayedAsk } from './replay';
import type { Replaying } from './state';

interface EvalPaneProps {
  turns: number;
  replaying: Replaying;
  onRecord: () => void;
  onReplay: (text: string) => void;
}

/** Keeps the conversation as a test case, and asks recorded cases again without running anything. */
export function EvalPane({ turns, replaying, onRecord, onReplay }: EvalPaneProps) {
  const file = useRef<HTMLInputElement>(null);
  return (
    <div class="pane">
      <p>{t('evalText')}</p>
      <div class="buttons start">
        <button type="button" disabled={turns === 0} onClick={onRecord} data-testid="record-eval">
          <Icon name="export" />
          {t('evalRecord')}
        </button>
        <button
          type="button"
          disabled={replaying.state === 'running'}
          onClick={() => file.current?.click()}
        >
          <Icon name="retry" />
          {t('evalReplay')}
        </button>
        <input
          ref={file}
          type="file"
          accept="application/json,.json"
          hidden
          aria-label={t('evalReplay')}
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            event.currentTarget.value = '';
            chosen?.text().then(onReplay, () => undefined);
          }}
        />
      </div>
      {replaying.state === 'running' && (
        <p role="status">{t('evalRunning', replaying.done, replaying.total)}</p>
      )}
      {replaying.state === 'done' && <Replayed asks={replaying.asks} />}
    </div>
  );
}

function Replayed({ asks }: { asks: readonly ReplayedAsk[] }) {
  const good = asks.filter((ask) => ask.differences.length === 0).length;
  return (
    <>
      <p role="status">{t('evalDone', good, asks.length)}</p>
      <ul class="findings">
        {asks.map((ask, index) => (
          <li
            key={`${index} ${ask.caseId}`}
            data-severity={ask.differences.length === 0 ? 'fine' : 'warning'}
          >
            <p class="finding">
              <Icon name={ask.differences.length === 0 ? 'done' : 'failed'} />
              <span dir="auto">{ask.ask}</span>
              <code dir="auto">
                {ask.got ? `${ask.got.name} ${oneLine(ask.got.arguments)}` : t('askNoCall')}
              </code>
            </p>
            {ask.differences.map((difference) => (
              <p class="problem" key={JSON.stringify(difference)}>
                {wordsOf(difference)}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function wordsOf(difference: Difference): string {
  switch (difference.kind) {
    case 'tool':
      return t('evalTool', difference.expected || t('askNoCall'), difference.got || t('askNoCall'));
    case 'missing':
      return t('evalMissing', difference.argument);
    case 'unexpected':
      return t('evalUnexpected', difference.argument);
    case 'value':
      return t('evalValue', difference.argument, difference.expected, difference.got);
  }
}
