import { useState } from 'preact/hooks';
import type { Preview } from '../../lib/messages/host-api';
import { BudgetMeter } from '../chat/BudgetMeter';
import { CopyButton, ScrollBox } from '../controls';
import { formatNumber, t } from '../text';
import { JsonTree } from '../value/JsonTree';
import type { Asking } from './state';

interface AskPaneProps {
  asking: Asking;
  onAsk: (text: string) => void;
}

/** What a turn would do with a request, without running anything. */
export function AskPane({ asking, onAsk }: AskPaneProps) {
  const [text, setText] = useState(asking.state === 'idle' ? '' : asking.ask);
  const busy = asking.state === 'running';
  return (
    <div class="pane">
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') onAsk(text.trim());
        }}
      >
        <input
          aria-label={t('askRequest')}
          placeholder={t('askRequest')}
          data-testid="ask"
          value={text}
          dir="auto"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={busy || text.trim() === ''}>
          {busy ? t('running') : t('askGo')}
        </button>
      </form>
      {asking.state === 'done' && <Outcome preview={asking.preview} />}
    </div>
  );
}

function Outcome({ preview }: { preview: Preview }) {
  const { ranked, direct, deferred, left, system, budget, calls } = preview;
  return (
    <div class="ask-outcome" data-testid="ask-outcome">
      <div class="ask-part">
        <h2>{t('askRanked')}</h2>
        <ScrollBox class="table-box" label={t('askRanked')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('askTool')}</th>
                <th scope="col">{t('askScore')}</th>
                <th scope="col">{t('askFields')}</th>
                <th scope="col">{t('askFate')}</th>
              </tr>
            </thead>
            <tbody>
              {ranked.slice(0, 50).map((row) => (
                <tr key={row.name}>
                  <td>{row.name}</td>
                  <td>{formatNumber(row.score, { maximumFractionDigits: 2 })}</td>
                  <td>{row.matchedFields.join(', ')}</td>
                  <td>{fateOf(row.name, preview)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
        {ranked.length > 50 && <p class="quiet">{t('showMore', ranked.length - 50)}</p>}
        <p class="small-print">{t('askCounts', direct.length, deferred.length, left.length)}</p>
      </div>
      {budget && <BudgetMeter budget={budget} />}
      <div class="ask-part">
        <h2>{t('askCalls')}</h2>
        <div class="engines">
          {calls.map(({ engine, call, text }) => (
            <div class="engine-call" key={engine}>
              <h3>{engine}</h3>
              {call ? (
                <>
                  <p class="call-name" dir="auto">
                    {call.name}
                  </p>
                  <JsonTree value={call.arguments} label={t('arguments')} />
                </>
              ) : (
                <p class="quiet">{t('askNoCall')}</p>
              )}
              {text !== '' && (
                <p class="small-print" dir="auto">
                  {text.slice(0, 2000)}
                </p>
              )}
            </div>
          ))}
          {calls.length === 0 && <p class="quiet">{t('askNoEngine')}</p>}
        </div>
      </div>
      <div class="ask-part">
        <div class="bar">
          <h2>{t('askPrompt')}</h2>
          <CopyButton text={system} />
        </div>
        <ScrollBox class="value-text" label={t('askPrompt')} dir="ltr">
          <pre>{system}</pre>
        </ScrollBox>
      </div>
    </div>
  );
}

function fateOf(name: string, { direct, deferred, left }: Preview): string {
  if (direct.includes(name)) return t('exposureDirect');
  const cut = left.find((entry) => entry.name === name);
  if (deferred.includes(name))
    return cut ? `${t('exposureDeferred')}: ${cut.why}` : t('exposureDeferred');
  return cut?.why ?? '';
}
