import { useMemo, useState } from 'preact/hooks';
import type { EngineErrorKind } from '../../lib/agent/engine';
import type { Remedy } from '../../lib/agent/events';
import type {
  CallCard as CallCardState,
  TranscriptItem,
  TranscriptTurn,
} from '../../lib/agent/transcript';
import type { ListedTool } from '../../lib/messages/host-api';
import { textOf } from '../../lib/said/said';
import { CopyButton, Fold, IconButton } from '../controls';
import { Icon } from '../Icon';
import { Told, tell } from '../said';
import { formatNumber, type MessageKey, t } from '../text';
import { ToolRunner } from '../tools/ToolRunner';
import { asJson } from '../value/as-json';
import { CallCard } from './CallCard';
import { deedsOf } from './deeds';
import type { Fork } from './forks';
import { HostWords } from './HostWords';
import type { ChatIntents } from './intents';
import { Markdown } from './Markdown';
import { Question } from './Question';
import { StepTiming } from './StepTiming';

export interface TurnProps {
  turn: TranscriptTurn;
  /** Name of the tab the model is busy with, while this turn waits for it. */
  busyWith?: string | undefined;
  /** Place of this conversation in the line for the model, 1 being next. */
  place?: number | undefined;
  /** The page's tools as they are now, by key. */
  listed: ReadonlyMap<string, ListedTool>;
  /** The other versions of this turn. */
  fork?: Fork | undefined;
  onVersion?: ((fork: Fork, turnId: string) => void) | undefined;
  intents: ChatIntents;
}

/** One request and everything that came of it. */
export function Turn({ turn, busyWith, place, listed, fork, onVersion, intents }: TurnProps) {
  return (
    <section
      class="turn"
      data-testid="turn"
      data-end={turn.end?.reason}
      aria-label={turn.byHand ? t('ranByHand') : t('turnOf', turn.ask.slice(0, 80))}
    >
      {turn.byHand ? (
        <p class="by-hand">
          <Icon name="tools" />
          {t('ranByHand')}
        </p>
      ) : (
        <UserMessage turn={turn} fork={fork} onVersion={onVersion} onRetry={intents.retry} />
      )}
      {fork && fork.elsewhere !== '' && (
        <p class="notice" data-level="warning" data-testid="done-elsewhere">
          <Icon name="warning" />
          <span dir="auto">{t('doneElsewhere', fork.elsewhere)}</span>
        </p>
      )}
      <div class="reply">
        {turn.items.map((item) => (
          <Item key={item.id} item={item} turn={turn} listed={listed} intents={intents} />
        ))}
        {turn.queued && (
          <p class="queued">
            <Icon name="clock" />
            {busyWith
              ? t('queuedBehind', place ?? turn.queued.position, busyWith)
              : t('queued', place ?? turn.queued.position)}
          </p>
        )}
        {!turn.end && !turn.queued && !turn.byHand && isThinking(turn) && (
          <p class="working">
            <Icon name="running" />
            {t('working')}
          </p>
        )}
        {turn.end && !turn.byHand && <Ending turn={turn} intents={intents} listed={listed} />}
      </div>
    </section>
  );
}

/** Whether nothing on the screen moves, though the turn goes on. */
function isThinking(turn: TranscriptTurn): boolean {
  const last = turn.items.at(-1);
  if (!last) return true;
  if (last.kind === 'call') return !['running', 'awaiting-approval'].includes(last.call.state);
  if (last.kind === 'question') return last.question.state !== 'open';
  return true;
}

interface UserMessageProps extends Pick<TurnProps, 'turn' | 'fork' | 'onVersion'> {
  onRetry: ChatIntents['retry'];
}

function UserMessage({ turn, fork, onVersion, onRetry }: UserMessageProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const deeds = draft === null ? '' : deedsOf([turn]);
  if (draft !== null) {
    const save = () => {
      setDraft(null);
      if (draft.trim() !== '') onRetry(turn.turnId, draft.trim());
    };
    return (
      <form
        class="ask editing"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <textarea
          aria-label={t('editMessage')}
          rows={3}
          value={draft}
          dir="auto"
          ref={focusOnce}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.preventDefault();
              setDraft(null);
            }
            if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
              event.preventDefault();
              save();
            }
          }}
        />
        {deeds !== '' && <p class="doubt">{t('alreadyDone', deeds)}</p>}
        <div class="buttons">
          <button type="button" class="small" onClick={() => setDraft(null)}>
            {t('cancel')}
          </button>
          <button type="submit" class="small primary">
            {t('resend')}
          </button>
        </div>
      </form>
    );
  }
  return (
    <div class="ask">
      <p class="ask-text" dir="auto">
        {turn.ask}
      </p>
      <div class="message-actions">
        {fork && onVersion && <Versions fork={fork} onVersion={onVersion} />}
        <CopyButton text={turn.ask} label={t('copyMessage')} />
        <IconButton icon="edit" label={t('editMessage')} onClick={() => setDraft(turn.ask)} />
      </div>
    </div>
  );
}

/** ‹ 2/3 ›: which version of the message is shown. */
function Versions({
  fork,
  onVersion,
}: {
  fork: Fork;
  onVersion: NonNullable<TurnProps['onVersion']>;
}) {
  const { versions, at } = fork;
  const step = (to: number) => {
    const turnId = versions[to];
    if (turnId !== undefined) onVersion(fork, turnId);
  };
  return (
    <span class="versions" data-testid="versions">
      <IconButton
        icon="back"
        label={t('versionBefore')}
        disabled={at <= 0}
        onClick={() => step(at - 1)}
      />
      <span>{t('versionOf', formatNumber(at + 1), formatNumber(versions.length))}</span>
      <IconButton
        icon="chevron"
        label={t('versionAfter')}
        disabled={at >= versions.length - 1}
        onClick={() => step(at + 1)}
      />
    </span>
  );
}

function focusOnce(element: HTMLTextAreaElement | null): void {
  if (element && document.activeElement !== element) element.focus();
}

interface ItemProps {
  item: TranscriptItem;
  turn: TranscriptTurn;
  listed: ReadonlyMap<string, ListedTool>;
  intents: ChatIntents;
}

function Item({ item, turn, listed, intents }: ItemProps) {
  switch (item.kind) {
    case 'prose':
      return <Markdown text={item.text} />;
    case 'thinking':
      return (
        <Fold class="thinking" summary={<span>{t('thinking')}</span>}>
          <p class="thinking-text" dir="auto">
            {item.text}
          </p>
        </Fold>
      );
    case 'call':
      return (
        <CallCard
          call={item.call}
          listed={listed.get(item.call.tool?.key ?? '')}
          intents={intents}
        />
      );
    case 'question':
      return <Question question={item.question} onAnswer={intents.answerQuestion} />;
    case 'problems':
      return (
        <Fold class="reply-problems" summary={<span>{t('replyProblems')}</span>}>
          {/* What the model was told, which is told in English. */}
          <ul lang="en">
            {item.errors.map((error) => (
              <li key={textOf(error)} dir="auto">
                {textOf(error)}
              </li>
            ))}
          </ul>
        </Fold>
      );
    case 'notice':
      return (
        <p class="notice" data-level={item.level}>
          <Icon name={item.level === 'info' ? 'info' : 'warning'} />
          <Told words={item} />
        </p>
      );
    case 'navigated':
      return (
        <p class="navigated" dir="auto">
          {t('navigated', item.url)}
        </p>
      );
    case 'engine-failed':
      return (
        <div class="failure">
          <div class="failure-words">
            <Icon name="failed" />
            <div>
              <HostWords
                text={failureText(item.failure)}
                words={{ text: item.message, said: item.said }}
              />
            </div>
          </div>
          {!turn.end && <Remedies remedies={item.remedies} turn={turn} intents={intents} />}
        </div>
      );
  }
}

const FAILURES: Record<EngineErrorKind, MessageKey> = {
  unavailable: 'failUnavailable',
  'not-loaded': 'failNotLoaded',
  'needs-click': 'failNeedsClick',
  download: 'failDownload',
  storage: 'failStorage',
  corrupt: 'failCorrupt',
  memory: 'failMemory',
  'device-lost': 'failDeviceLost',
  window: 'failWindow',
  failed: 'failFailed',
};

/** An imported log may hold a kind that this version does not know. */
function failureText(kind: string): string {
  const key = Object.entries(FAILURES).find(([known]) => known === kind)?.[1];
  return t(key ?? 'failFailed');
}

const REASONS: Partial<Record<string, MessageKey>> = {
  stopped: 'endStopped',
  denied: 'deniedByUser',
  'step-limit': 'endStepLimit',
  'repeated-call': 'endRepeatedCall',
  'empty-answer': 'endEmptyAnswer',
  'model-errors': 'endModelErrors',
  'tool-errors': 'endToolErrors',
  'engine-failed': 'endEngineFailed',
  'page-gone': 'endPageGone',
  'page-restricted': 'endPageRestricted',
  'page-reload': 'endPageReload',
  interrupted: 'endInterrupted',
};

interface EndingProps {
  turn: TranscriptTurn;
  listed: ReadonlyMap<string, ListedTool>;
  intents: ChatIntents;
}

function Ending({ turn, listed, intents }: EndingProps) {
  const [sure, setSure] = useState(false);
  const deeds = useMemo(() => deedsOf([turn]), [turn]);
  const { end } = turn;
  if (!end) return null;
  const reason = REASONS[end.reason];
  const words = { text: end.message, said: end.said };
  return (
    <>
      {!reason && end.message !== '' && <Markdown text={tell(words)} />}
      {reason && !wasSaid(turn, end.message) && <HostWords text={t(reason)} words={words} />}
      {end.reason === 'denied' && <Denied turn={turn} intents={intents} listed={listed} />}
      <Remedies remedies={end.remedies} turn={turn} intents={intents} listed={listed} />
      <div class="message-actions">
        <CopyButton text={() => replyText(turn)} label={t('copyReply')} />
        <IconButton
          icon="retry"
          label={t('retry')}
          testId="retry"
          onClick={() => (deeds === '' ? intents.retry(turn.turnId) : setSure(true))}
        />
        <StepTiming turn={turn} />
      </div>
      {sure && (
        <section class="sure" aria-label={t('retry')}>
          <p>
            <Icon name="warning" />
            <span dir="auto">{t('alreadyDone', deeds)}</span>
          </p>
          <div class="buttons">
            <button type="button" class="small" ref={focusButton} onClick={() => setSure(false)}>
              {t('cancel')}
            </button>
            <button
              type="button"
              class="small binding"
              data-testid="retry-sure"
              onClick={() => {
                setSure(false);
                intents.retry(turn.turnId);
              }}
            >
              {t('retryAnyway')}
            </button>
          </div>
        </section>
      )}
    </>
  );
}

/** The safe answer has the focus. */
function focusButton(button: HTMLButtonElement | null): void {
  button?.focus();
}

/** After a no: what should be different? The values that were denied stay at hand. */
function Denied({ turn, intents, listed }: EndingProps) {
  const [editing, setEditing] = useState(false);
  const call = deniedCall(turn);
  const tool = listed.get(call?.tool?.key ?? '');
  if (call?.approval?.by !== 'user') return null;
  return (
    <section class="denied" aria-label={t('deniedWhat')}>
      <p>{t('deniedWhat')}</p>
      {editing && tool ? (
        <ToolRunner
          listed={tool}
          values={asJson(call.arguments)}
          runTool={intents.runTool}
          onClose={() => setEditing(false)}
        />
      ) : (
        <div class="choices">
          {tool && (
            <button
              type="button"
              class="small"
              data-testid="other-values"
              onClick={() => setEditing(true)}
            >
              {t('deniedOtherValues')}
            </button>
          )}
          <button type="button" class="small" onClick={() => intents.openTools()}>
            {t('deniedOtherTool')}
          </button>
        </div>
      )}
    </section>
  );
}

function deniedCall(turn: TranscriptTurn): CallCardState | undefined {
  const item = turn.items.findLast((one) => one.kind === 'call' && one.call.state === 'denied');
  return item?.kind === 'call' ? item.call : undefined;
}

/** Whether the failure above the ending says the same. */
function wasSaid(turn: TranscriptTurn, message: string): boolean {
  return turn.items.some((item) => item.kind === 'engine-failed' && item.message === message);
}

function replyText(turn: TranscriptTurn): string {
  const prose = turn.items.flatMap((item) => (item.kind === 'prose' ? [item.text] : []));
  const { message = '', said } = turn.end ?? {};
  return [...prose, tell({ text: message, said })].filter((text) => text !== '').join('\n\n');
}

interface RemediesProps {
  remedies: readonly Remedy[];
  turn: TranscriptTurn;
  intents: ChatIntents;
  listed?: ReadonlyMap<string, ListedTool>;
}

/** Name of the tool the turn last tried to call. */
function lastTool(turn: TranscriptTurn): string | undefined {
  const last = turn.items.findLast((item) => item.kind === 'call');
  return last?.kind === 'call' ? last.call.tool?.name : undefined;
}

/** One button for each thing that may help; each does it with one click. */
function Remedies({ remedies, turn, intents }: RemediesProps) {
  const actions: Record<Remedy, { label: MessageKey; act: () => void }> = {
    retry: { label: 'remedyRetry', act: () => intents.retry(turn.turnId) },
    'choose-tool': { label: 'remedyChooseTool', act: () => intents.openTools() },
    'fill-form': { label: 'remedyFillForm', act: () => intents.openTools(lastTool(turn)) },
    'bigger-model': { label: 'remedyBiggerModel', act: intents.openModels },
    'other-engine': { label: 'remedyOtherEngine', act: intents.openModels },
    'reload-page': { label: 'remedyReloadPage', act: intents.reloadPage },
    continue: { label: 'remedyContinue', act: () => intents.send(t('continueRequest')) },
  };
  if (remedies.length === 0) return null;
  return (
    <div class="buttons remedies">
      {remedies.map((remedy) => (
        <button type="button" class="small" key={remedy} onClick={actions[remedy].act}>
          {t(actions[remedy].label)}
        </button>
      ))}
    </div>
  );
}
