import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pathOf, pathTo, ROOT } from '../../lib/agent/branches';
import { BudgetMeter } from '../chat/BudgetMeter';
import { Composer } from '../chat/Composer';
import { EmptyState } from '../chat/EmptyState';
import { type Fork, forksOf } from '../chat/forks';
import type { ChatIntents } from '../chat/intents';
import { Share, ShareButton } from '../chat/Share';
import { type Suggestion, suggestionsFor } from '../chat/suggestions';
import { Transcript } from '../chat/Transcript';
import { IconButton } from '../controls';
import { ModelButton } from '../model/ModelButton';
import { ModelPicker } from '../model/ModelPicker';
import { t } from '../text';
import type { Panel } from './panel';
import { busyElsewhere, currentBudget, emptyReason, type PanelState, placeInLine } from './state';

interface ChatPaneProps {
  state: PanelState;
  busy: boolean;
  intents: ChatIntents;
  models: boolean;
  panel: Pick<Panel, 'models' | 'draftOf' | 'next'>;
  onModels: () => void;
  startShare: boolean;
}

/** The conversation with what stands below it: what is shared, the composer, the model. */
export function ChatPane({
  state,
  busy,
  intents,
  models,
  panel,
  onModels,
  startShare,
}: ChatPaneProps) {
  const [sharing, setSharing] = useState(startShare);
  const shareButton = useRef<HTMLButtonElement>(null);
  const shared = state.conversation?.shared;
  const composer = useRef<HTMLTextAreaElement>(null);
  const draft = panel.draftOf(state.tab?.id ?? -1);
  const next = state.next.get(state.conversation?.id ?? '');
  const listed = state.catalog?.listed ?? NO_TOOLS;
  const suggestions = useMemo(() => suggestionsFor(listed), [listed]);
  const budget = currentBudget(state);
  const elsewhere = busyElsewhere(state);
  /** At which turn the user chose which version of what follows it. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const path = useMemo(() => pathOf(state.turns, chosen), [state.turns, chosen]);
  const forks = useMemo(() => forksOf(state.turns, path), [state.turns, path]);
  const onVersion = useCallback(
    ({ parent }: Fork, turnId: string) =>
      setChosen((before) => new Map([...before, [parent, turnId]])),
    [],
  );
  // A version that is asked anew is the newest, and shown.
  const turnCount = state.turns.length;
  const newest = state.turns.at(-1)?.turnId;
  const counted = useRef(turnCount);
  useLayoutEffect(() => {
    if (turnCount > counted.current && newest !== undefined) {
      const way = [ROOT, ...pathTo(state.turns, newest).map(({ turnId }) => turnId)];
      const steps = way.slice(1).map((turnId, at): [string, string] => [way[at] ?? ROOT, turnId]);
      setChosen((before) => new Map([...before, ...steps]));
    }
    counted.current = turnCount;
  }, [turnCount, newest, state.turns]);
  const send = (text: string) => {
    const last = path.at(-1)?.turnId;
    intents.send(text, last === newest ? undefined : last);
  };
  const modelButton = useRef<HTMLButtonElement>(null);
  const modelSheet = useRef<HTMLElement>(null);
  // It stands before the button that opens it, where Tab would not lead.
  useLayoutEffect(() => {
    if (models) modelSheet.current?.focus();
  }, [models]);
  const suggest = (suggestion: Suggestion) => {
    if (suggestion.complete) send(suggestion.text);
    else {
      draft.value = `${suggestion.text} `;
      composer.current?.focus();
    }
  };
  return (
    <>
      {state.turns.length === 0 ? (
        <EmptyState
          reason={emptyReason(state)}
          suggestions={suggestions}
          onSuggest={suggest}
          onReload={intents.reloadPage}
          onModels={intents.openModels}
        />
      ) : (
        <Transcript
          key={state.conversation?.id}
          turns={path}
          forks={forks}
          onVersion={onVersion}
          listed={listed}
          busyWith={elsewhere ?? undefined}
          place={placeInLine(state)}
          intents={intents}
        />
      )}
      {models && (
        <section
          class="model-sheet"
          id="models"
          aria-labelledby="models-title"
          ref={modelSheet}
          tabIndex={-1}
        >
          <div class="bar">
            <h2 id="models-title">{t('models')}</h2>
            <IconButton
              icon="close"
              label={t('close')}
              onClick={() => {
                onModels();
                modelButton.current?.focus();
              }}
            />
          </div>
          <ModelPicker
            engines={state.engines}
            status={state.status?.engine ?? null}
            chosen={state.settings}
            importing={state.importing}
            intents={panel.models}
          />
        </section>
      )}
      <footer class="panel-foot">
        {elsewhere && !busy && <p class="small-print">{t('busyElsewhere', elsewhere)}</p>}
        <Share
          shared={shared}
          open={sharing}
          onShare={intents.share}
          onClose={() => {
            setSharing(false);
            shareButton.current?.focus();
          }}
        />
        {next !== undefined && (
          <p class="share-state" data-testid="next">
            <span dir="auto">{t('nextMessage', next)}</span>
            <IconButton icon="edit" label={t('nextTakeBack')} onClick={panel.next.takeBack} />
          </p>
        )}
        <Composer
          key={state.tab?.id}
          busy={busy}
          disabled={state.tab === null}
          draft={draft}
          inputRef={composer}
          onSend={busy ? panel.next.add : send}
          onStop={intents.stop}
        >
          <ShareButton
            shared={shared}
            open={sharing}
            disabled={!state.conversation}
            buttonRef={shareButton}
            onClick={() => setSharing(!sharing)}
          />
        </Composer>
        <div class="foot-line">
          <ModelButton
            settings={state.settings}
            engines={state.engines}
            status={state.status?.engine ?? null}
            open={models}
            onClick={onModels}
            buttonRef={modelButton}
          />
          {budget && <BudgetMeter budget={budget} />}
        </div>
      </footer>
    </>
  );
}

const NO_TOOLS: never[] = [];
