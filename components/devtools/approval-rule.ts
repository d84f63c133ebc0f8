import { isConsequential, isReadOnly } from '../../lib/agent/approval';
import type { ToolDescriptor } from '../../lib/tools/tool';
import type { MessageKey } from '../text';

/** What a tool's hints and words mean for approval, as the turn applies them. */
export function approvalRule(tool: ToolDescriptor): MessageKey {
  if (tool.annotations?.debugging) return 'ruleDebugging';
  if (isConsequential(tool)) return 'ruleConsequential';
  return isReadOnly(tool) ? 'ruleReadOnly' : 'ruleChanges';
}
