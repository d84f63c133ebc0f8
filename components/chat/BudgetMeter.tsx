import type { Budget } from '../../lib/agent/events';
import { Fold } from '../controls';
import { formatBytes, formatNumber, type MessageKey, t } from '../text';

const PARTS = [
  ['instructions', 'budgetInstructions'],
  ['direct', 'budgetDirect'],
  ['promoted', 'budgetPromoted'],
  ['manifest', 'budgetManifest'],
  ['history', 'budgetHistory'],
  ['reply', 'budgetReply'],
] as const satisfies readonly (readonly [keyof Budget, MessageKey])[];

/** What takes up the model's window, and what deferring tools saved. */
export function BudgetMeter({ budget }: { budget: Budget }) {
  const used = PARTS.reduce((sum, [part]) => sum + budget[part], 0);
  const window = Math.max(budget.window, used, 1);
  const tools = budget.direct + budget.promoted + budget.manifest;
  const saved = Math.max(0, budget.allToolsTokens - tools);
  return (
    <Fold
      class="budget"
      summary={
        <span class="budget-summary" data-testid="budget">
          <span class="budget-bar" aria-hidden="true">
            {PARTS.map(([part]) => (
              <span
                key={part}
                data-part={part}
                style={{ inlineSize: `${(100 * budget[part]) / window}%` }}
              />
            ))}
          </span>
          <span>{t('budgetSummary', formatNumber(used), formatNumber(window))}</span>
        </span>
      }
    >
      <dl class="budget-parts">
        {PARTS.map(([part, label]) => (
          <div key={part}>
            <dt>
              <span class="swatch" data-part={part} aria-hidden="true" />
              {t(label)}
            </dt>
            <dd>{formatNumber(budget[part])}</dd>
          </div>
        ))}
        <div>
          <dt>{t('budgetFree')}</dt>
          <dd>{formatNumber(Math.max(0, window - used))}</dd>
        </div>
      </dl>
      <p class="quiet">{t('budgetBytes', formatBytes(budget.schemaBytes))}</p>
      {saved > 0 && (
        <p class="quiet">
          {t('budgetSaved', formatNumber(saved), formatNumber(budget.allToolsTokens))}
        </p>
      )}
    </Fold>
  );
}
