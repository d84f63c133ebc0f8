import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CallCard } from '../../lib/agent/transcript';
import { Icon } from '../Icon';
import { type MessageKey, t } from '../text';
import { asJson } from '../value/as-json';
import { ArgumentRows } from './ArgumentRows';
import { CallNotes } from './CallNotes';

const REASONS: Record<NonNullable<CallCard['approval']>['reason'], MessageKey> = {
  changes: 'approvalChanges',
  consequential: 'approvalConsequential',
  'cut-off': 'approvalCutOff',
  unsourced: 'approvalUnsourced',
  'changed-tool': 'approvalChangedTool',
};

interface ApprovalProps {
  call: CallCard;
  onAnswer: (callId: string, decision: 'allow' | 'deny', remember: boolean) => void;
}

/** Asks before a call runs: the tool, where it comes from and every argument. Deny has the focus. */
export function Approval({ call, onAnswer }: ApprovalProps) {
  const [remember, setRemember] = useState(false);
  const [answered, setAnswered] = useState(false);
  const deny = useRef<HTMLButtonElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    if (!isTyping()) deny.current?.focus();
  }, []);
  const answer = (decision: 'allow' | 'deny') => {
    setAnswered(true);
    onAnswer(call.callId, decision, decision === 'allow' && remember);
  };
  return (
    <section class="approval" aria-labelledby={`${id}-title`} aria-describedby={`${id}-why`}>
      <h2 id={`${id}-title`}>
        <Icon name={call.consequential ? 'warning' : 'approve'} />
        <span dir="auto">{t('approvalTitle', call.tool?.title || call.name)}</span>
      </h2>
      <p id={`${id}-why`}>{t(REASONS[call.approval?.reason ?? 'changes'])}</p>
      <p class="call-origin">{t('callFrom', call.name, call.tool?.origin ?? '')}</p>
      <ArgumentRows arguments={asJson(call.arguments)} unsourced={call.unsourced} />
      <CallNotes call={call} />
      {call.approval?.canRemember && (
        <label class="check">
          <input
            type="checkbox"
            data-testid="remember"
            checked={remember}
            disabled={answered}
            onChange={() => setRemember(!remember)}
          />
          <span>{t('approvalRemember')}</span>
        </label>
      )}
      <div class="buttons">
        <button
          type="button"
          ref={deny}
          data-testid="deny"
          disabled={answered}
          onClick={() => answer('deny')}
        >
          {t('deny')}
        </button>
        <button
          type="button"
          class="primary"
          data-testid="approve"
          disabled={answered}
          onClick={() => answer('allow')}
        >
          {t('allow')}
        </button>
      </div>
    </section>
  );
}

/** Someone in the middle of a text keeps the focus: their next Enter must answer nothing. */
function isTyping(): boolean {
  const at = document.activeElement;
  return (at instanceof HTMLTextAreaElement || at instanceof HTMLInputElement) && at.value !== '';
}
