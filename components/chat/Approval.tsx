import type { RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CallCard } from '../../lib/agent/transcript';
import { shownName } from '../../lib/tools/text/safe';
import { Icon } from '../Icon';
import { type MessageKey, t } from '../text';
import { ToolSource } from '../tools/ToolSource';
import { asJson } from '../value/as-json';
import { ArgumentRows } from './ArgumentRows';
import { CallNotes } from './CallNotes';

const REASONS: Record<NonNullable<CallCard['approval']>['reason'], MessageKey> = {
  changes: 'approvalChanges',
  consequential: 'approvalConsequential',
  'cut-off': 'approvalCutOff',
  unsourced: 'approvalUnsourced',
  'changed-tool': 'approvalChangedTool',
  'other-site': 'approvalOtherSite',
};

/** How long Allow stands still before the pointer may press it: a click may have been meant for what stood there. */
const ARMED_AFTER_MS = 400;

interface ApprovalProps {
  call: CallCard;
  onAnswer: (callId: string, decision: 'allow' | 'deny', remember: boolean) => void;
}

/** Asks before a call runs: whose tool, which, and every argument whole. Deny has the focus. */
export function Approval({ call, onAnswer }: ApprovalProps) {
  const [remember, setRemember] = useState(false);
  const [answered, setAnswered] = useState(false);
  const deny = useRef<HTMLButtonElement>(null);
  const allow = useRef<HTMLButtonElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    if (!isTyping()) deny.current?.focus();
  }, []);
  const armed = useArmed(allow);
  const answer = (decision: 'allow' | 'deny') => {
    setAnswered(true);
    onAnswer(call.callId, decision, decision === 'allow' && remember);
  };
  const origin = call.tool?.origin ?? '';
  return (
    <section
      class="approval"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-source ${id}-why`}
    >
      <ToolSource id={`${id}-source`} origin={origin} name={call.tool?.name ?? call.name} />
      <h2 id={`${id}-title`}>
        <Icon name={call.consequential ? 'warning' : 'approve'} />
        <span dir="auto">
          {t('approvalTitle', `\u2068${shownName(call.tool?.title || call.name)}\u2069`)}
        </span>
      </h2>
      <p id={`${id}-why`}>{t(REASONS[call.approval?.reason ?? 'changes'])}</p>
      <ArgumentRows
        arguments={asJson(call.arguments)}
        unsourced={call.unsourced}
        foreign={call.foreign}
        origin={origin}
        whole
      />
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
          ref={allow}
          data-testid="approve"
          data-armed={armed}
          disabled={answered}
          onClick={(event) => {
            // `detail` counts the clicks of a pointer; the keyboard has to come here first.
            if (armed || event.detail === 0) answer('allow');
          }}
        >
          {t('allow')}
        </button>
      </div>
    </section>
  );
}

/** Whether the button has stood where it stands for a while. */
function useArmed(button: RefObject<HTMLButtonElement | null>): boolean {
  const [armed, setArmed] = useState(false);
  useLayoutEffect(() => {
    let place = placeOf(button.current);
    let since = performance.now();
    let frame = 0;
    const look = (now: number) => {
      const there = placeOf(button.current);
      if (there !== place) {
        place = there;
        since = now;
      }
      if (now - since >= ARMED_AFTER_MS) setArmed(true);
      else frame = requestAnimationFrame(look);
    };
    frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, [button]);
  return armed;
}

function placeOf(element: Element | null): string {
  const { x, y } = element?.getBoundingClientRect() ?? { x: 0, y: 0 };
  return `${Math.round(x)} ${Math.round(y)}`;
}

/** Someone in the middle of a text keeps the focus: their next Enter must answer nothing. */
function isTyping(): boolean {
  const at = document.activeElement;
  return (at instanceof HTMLTextAreaElement || at instanceof HTMLInputElement) && at.value !== '';
}
