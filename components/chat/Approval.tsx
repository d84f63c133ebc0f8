import type { RefObject } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Problem, wordsOfProblem } from '../../lib/agent/events';
import type { CallCard } from '../../lib/agent/transcript';
import type { ListedTool } from '../../lib/messages/host-api';
import { cutText } from '../../lib/tools/text/cut';
import { Select } from '../controls';
import { Icon } from '../Icon';
import { Told } from '../said';
import { type MessageKey, t } from '../text';
import { toolTitle } from '../tool-title';
import { ToolSource } from '../tools/ToolSource';
import { ApprovalValues, focusFirstProblem, useEditableArguments } from './ApprovalValues';
import { CallNotes } from './CallNotes';
import type { Decision } from './intents';

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
  /** The tool as the page offers it now: its own words, and the schema to edit by. */
  listed?: ListedTool | undefined;
  onAnswer: (decision: Decision) => Promise<readonly Problem[]>;
}

type Scope = 'once' | 'chat' | 'site';

/**
 * Asks before a call runs, as the receipt in advance: whose tool, the deed, what the page says of it,
 * every value, open to changes, and why it is asked. Deny has the focus.
 */
export function Approval({ call, listed, onAnswer }: ApprovalProps) {
  const [scope, setScope] = useState<Scope>('once');
  const [answered, setAnswered] = useState(false);
  const [refused, setRefused] = useState<readonly Problem[]>([]);
  const deny = useRef<HTMLButtonElement>(null);
  const allow = useRef<HTMLButtonElement>(null);
  const id = useId();
  const values = useEditableArguments(call.arguments, listed?.tool.inputSchema);
  useLayoutEffect(() => {
    if (!isTyping()) deny.current?.focus();
  }, []);
  const armed = useArmed(allow);
  const answer = (decision: 'allow' | 'deny') => {
    if (decision === 'allow' && values.problems.length > 0) {
      return focusFirstProblem(id, values.problems);
    }
    setAnswered(true);
    const remember = decision === 'allow' && scope !== 'once';
    onAnswer({
      callId: call.callId,
      decision,
      remember,
      ...(remember ? { scope } : {}),
      ...(decision === 'allow' && values.edited ? { arguments: values.edited } : {}),
    }).then(
      (problems) => {
        setRefused(problems);
        if (problems.length > 0) setAnswered(false);
      },
      // What went wrong is shown above; the call still waits.
      () => setAnswered(false),
    );
  };
  const origin = call.tool?.origin ?? '';
  const title = toolTitle(call.tool ?? call);
  const description = listed?.tool.description.trim() ?? '';
  return (
    <section
      class="approval"
      data-binding={call.consequential}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-source ${id}-why`}
    >
      <ToolSource id={`${id}-source`} origin={origin} name={call.tool?.name ?? call.name} />
      <h2 id={`${id}-title`}>
        <Icon name={call.consequential ? 'warning' : 'approve'} />
        <span dir="auto">{t('approvalTitle', `\u2068${title}\u2069`)}</span>
      </h2>
      {description !== '' && (
        <figure class="page-says">
          <figcaption>{t('pageSays')}</figcaption>
          <blockquote dir="auto">{cutText(description, MAX_DESCRIPTION)}</blockquote>
        </figure>
      )}
      <ApprovalValues call={call} values={values} refused={refused} origin={origin} id={id} />
      {refused
        .filter(({ path }) => path === '')
        .map((problem) => (
          <p class="problem" role="alert" key={problem.message}>
            <Told words={wordsOfProblem(problem)} />
          </p>
        ))}
      <CallNotes call={call} />
      <p id={`${id}-why`}>{reasonOf(call)}</p>
      {call.approval?.canRemember && (
        <Select
          label={t('approvalScope')}
          testId="remember"
          value={scope}
          choices={[
            { value: 'once', label: t('approvalOnce') },
            { value: 'chat', label: t('approvalChat') },
            { value: 'site', label: t('approvalSite') },
          ]}
          disabled={answered}
          onChange={setScope}
        />
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
          class={call.consequential ? 'binding' : 'primary'}
          ref={allow}
          data-testid="approve"
          data-armed={armed}
          disabled={answered}
          onClick={(event) => {
            // `detail` counts the clicks of a pointer; the keyboard has to come here first.
            if (armed || event.detail === 0) answer('allow');
          }}
        >
          <span dir="auto">{t('allowDeed', `\u2068${title}\u2069`)}</span>
        </button>
      </div>
    </section>
  );
}

/** A page may describe a tool in a novel; the start says what it is. */
const MAX_DESCRIPTION = 400;

/** Why it is asked, and who says so. */
function reasonOf({ approval }: CallCard): string {
  if (approval?.reason === 'consequential' && approval.word !== undefined) {
    return t('approvalByName', approval.word);
  }
  return t(REASONS[approval?.reason ?? 'changes']);
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
