import type { ToolAnnotations } from '../../lib/tools/tool';
import type { MessageKey } from '../text';

/** What a tool's hints mean for approval, as the turn applies them. */
export function approvalRule(annotations: ToolAnnotations | undefined): MessageKey {
  if (annotations?.debugging) return 'ruleDebugging';
  if (annotations?.consequentialHint) return 'ruleConsequential';
  return annotations?.readOnlyHint ? 'ruleReadOnly' : 'ruleChanges';
}
