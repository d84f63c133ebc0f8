import type { Finding, ReadinessRule, Severity } from '../../lib/tools/readiness/finding';
import { fencedCode } from '../../lib/tools/text/untrusted';
import { type MessageKey, t } from '../text';

const TITLES: Record<ReadinessRule, MessageKey> = {
  injection: 'findInjection',
  'hidden-characters': 'findHidden',
  'too-many-tools': 'findManyTools',
  'near-duplicate': 'findDuplicate',
  'host-name': 'findHostName',
  'cryptic-name': 'findCryptic',
  'vague-description': 'findVague',
  'long-description': 'findLong',
  'nested-schema': 'findNested',
  'many-arguments': 'findManyArguments',
  'undescribed-argument': 'findUndescribed',
  'missing-enum': 'findEnum',
  'missing-unit': 'findUnit',
  'missing-lookup': 'findLookup',
  'over-asking': 'findOverAsking',
  'no-read-only-hint': 'findReadOnly',
};
const REASONS: Record<ReadinessRule, MessageKey> = {
  injection: 'whyInjection',
  'hidden-characters': 'whyHidden',
  'too-many-tools': 'whyManyTools',
  'near-duplicate': 'whyDuplicate',
  'host-name': 'whyHostName',
  'cryptic-name': 'whyCryptic',
  'vague-description': 'whyVague',
  'long-description': 'whyLong',
  'nested-schema': 'whyNested',
  'many-arguments': 'whyManyArguments',
  'undescribed-argument': 'whyUndescribed',
  'missing-enum': 'whyEnum',
  'missing-unit': 'whyUnit',
  'missing-lookup': 'whyLookup',
  'over-asking': 'whyOverAsking',
  'no-read-only-hint': 'whyReadOnly',
};
const SEVERITIES: Record<Severity, MessageKey> = {
  error: 'severityError',
  warning: 'severityWarning',
  hint: 'severityHint',
};

export function titleOf(finding: Finding): string {
  return t(TITLES[finding.rule]);
}
export function reasonOf(finding: Finding): string {
  return t(REASONS[finding.rule], ...finding.values);
}
export function severityOf(severity: Severity): string {
  return t(SEVERITIES[severity]);
}

/** The findings as a report to hand to the page's authors. */
export function toMarkdown(url: string, findings: readonly Finding[]): string {
  const parts = findings.map((finding) => {
    const where = [finding.tool, finding.argument].filter((part) => part).join(' › ');
    const head = `## ${titleOf(finding)}${where ? `: ${code(where)}` : ''}`;
    const rewrite = finding.rewrite
      ? `\n\n${t('readinessRewrite')}:\n\n${fencedCode(finding.rewrite)}`
      : '';
    return `${head}\n\n_${severityOf(finding.severity)}_ · ${reasonOf(finding)}${rewrite}`;
  });
  return `# ${t('readinessTitle', url)}\n\n${parts.join('\n\n')}\n`;
}

function code(text: string): string {
  return `\`${text.replaceAll('`', '')}\``;
}
