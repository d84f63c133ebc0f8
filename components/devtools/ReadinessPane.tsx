import { useMemo } from 'preact/hooks';
import type { ListedTool } from '../../lib/messages/host-api';
import type { Finding } from '../../lib/tools/readiness/finding';
import { checkReadiness } from '../../lib/tools/readiness/readiness';
import { CopyButton, Fold } from '../controls';
import { Icon } from '../Icon';
import { plural, t } from '../text';
import { reasonOf, severityOf, titleOf, toMarkdown } from './readiness-text';

interface ReadinessPaneProps {
  listed: readonly ListedTool[];
  url: string;
  onSave: (filename: string, text: string) => void;
}

/** What makes the page's tools hard for a small model, each with its reason and a rewrite. */
export function ReadinessPane({ listed, url, onSave }: ReadinessPaneProps) {
  const findings = useMemo(() => checkReadiness(listed.map(({ tool }) => tool)), [listed]);
  return (
    <div class="pane" data-testid="readiness">
      <div class="bar">
        <h2>{plural('findings', findings.length)}</h2>
        <CopyButton text={() => toMarkdown(url, findings)} label={t('readinessCopy')} />
        <button
          type="button"
          class="small"
          onClick={() => onSave('readiness.md', toMarkdown(url, findings))}
        >
          <Icon name="export" />
          {t('export')}
        </button>
      </div>
      {findings.length === 0 && <p class="quiet">{t('readinessFine')}</p>}
      <ul class="findings">
        {findings.slice(0, MOST_SHOWN).map((finding) => (
          <li key={keyOf(finding)} data-severity={finding.severity} data-rule={finding.rule}>
            <FindingRow finding={finding} />
          </li>
        ))}
      </ul>
      {findings.length > MOST_SHOWN && (
        <p class="quiet">{t('showMore', findings.length - MOST_SHOWN)}</p>
      )}
    </div>
  );
}

/** More than anyone mends in one sitting; the exported report has them all. */
const MOST_SHOWN = 200;

function keyOf({ rule, tool, argument, values }: Finding): string {
  return `${rule} ${tool} ${argument ?? ''} ${values.join(' ')}`;
}

function FindingRow({ finding }: { finding: Finding }) {
  const where = [finding.tool, finding.argument].filter((part) => part).join(' › ');
  return (
    <Fold
      summary={
        <span class="finding">
          <Icon name={finding.severity === 'hint' ? 'info' : 'warning'} />
          <span class="finding-title">{titleOf(finding)}</span>
          <span class="small-print">{severityOf(finding.severity)}</span>
          {where !== '' && <code dir="auto">{where}</code>}
        </span>
      }
    >
      <p>{reasonOf(finding)}</p>
      {finding.rewrite !== '' && (
        <div class="rewrite">
          <div class="bar">
            <h3>{t('readinessRewrite')}</h3>
            <CopyButton text={finding.rewrite} />
          </div>
          <pre class="plain" dir="auto">
            {finding.rewrite}
          </pre>
        </div>
      )}
    </Fold>
  );
}
