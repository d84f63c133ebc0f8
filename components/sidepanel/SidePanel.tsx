import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatIntents } from '../chat/intents';
import { IconButton, Tabs } from '../controls';
import { History } from '../history/History';
import { Icon } from '../Icon';
import { followKeyboard } from '../keyboard';
import { LogView } from '../log/LogView';
import { tell } from '../said';
import { type MessageKey, t } from '../text';
import { ToolList } from '../tools/ToolList';
import { ChatPane } from './ChatPane';
import { Elsewhere } from './Elsewhere';
import { PageChip } from './PageChip';
import type { Panel } from './panel';
import {
  type Announcement,
  announcement,
  currentSite,
  elsewhere,
  isBusy,
  type PanelState,
  type PanelView,
} from './state';

export interface SidePanelProps {
  state: PanelState;
  panel: Omit<Panel, 'state'>;
  onOptions: () => void;
  /** What is shown first; the gallery starts elsewhere than the chat. */
  start?: { view?: PanelView; models?: boolean; share?: boolean };
}

const ANNOUNCEMENTS: Record<Exclude<Announcement, 'idle'>, MessageKey> = {
  working: 'announceWorking',
  approval: 'announceApproval',
  question: 'announceQuestion',
  answered: 'announceAnswered',
  stopped: 'endStopped',
  denied: 'deniedByUser',
  asked: 'announceQuestion',
  failed: 'announceFailed',
};

/** The whole side panel over its state. */
export function SidePanel({ state, panel, onOptions, start }: SidePanelProps) {
  const [view, setView] = useState<PanelView>(start?.view ?? 'chat');
  const [models, setModels] = useState(start?.models ?? false);
  const [tool, setTool] = useState<string>();
  const busy = isBusy(state);
  const there = elsewhere(state);
  const openModels = () => {
    panel.refreshEngines();
    setModels(true);
  };
  const intents = useMemo(
    (): ChatIntents => ({
      ...panel.chat,
      openModels: () => {
        panel.refreshEngines();
        setModels(true);
      },
      openTools: (toolName) => {
        setTool(toolName);
        setView('tools');
      },
    }),
    [panel],
  );
  const said = announcement(state.turns);
  // The list of models tells itself why one could not be loaded.
  const trouble = state.status?.engine.error;
  const isSaidInSheet =
    models && view === 'chat' && trouble !== undefined && tell(trouble) === state.problem;
  const tabs = [
    { value: 'chat', label: t('tabChat'), icon: 'chat', testId: 'tab-chat' },
    { value: 'tools', label: t('tabTools'), icon: 'tools', testId: 'tab-tools' },
    { value: 'log', label: t('tabLog'), icon: 'log', testId: 'tab-log' },
  ] as const;
  const root = useRef<HTMLElement>(null);
  const onEscape = useRef(() => {});
  onEscape.current = () => {
    if (view === 'chat' && models) setModels(false);
    else if (busy) panel.chat.stop();
  };
  useEffect(() => {
    if (!root.current) return;
    const shown = new AbortController();
    const find = (what: string) => root.current?.querySelector<HTMLElement>(what) ?? null;
    const composer = () => find('[data-testid=composer]:enabled');
    followKeyboard(
      root.current,
      {
        home: () => composer() ?? find('[role=tab][aria-selected=true]'),
        typing: composer,
        onEscape: () => onEscape.current(),
      },
      shown.signal,
    );
    return () => shown.abort();
  }, []);
  return (
    <main class="panel" ref={root}>
      <h1 class="hidden">{t('extensionName')}</h1>
      <header class="panel-head">
        <PageChip tab={state.tab} catalog={state.catalog} onOpen={() => setView('tools')} />
        <IconButton
          icon="new-chat"
          label={t('newChat')}
          testId="new-chat"
          onClick={() => {
            panel.newChat();
            setView('chat');
          }}
        />
        <IconButton
          icon="history"
          label={t('history')}
          testId="history"
          pressed={view === 'history'}
          onClick={() => {
            panel.history.search('');
            setView(view === 'history' ? 'chat' : 'history');
          }}
        />
        <IconButton icon="settings" label={t('options')} testId="options" onClick={onOptions} />
      </header>
      <Tabs
        label={t('views')}
        tabs={tabs}
        current={view === 'history' ? 'chat' : view}
        panelId="view"
        onSelect={(next) => {
          setTool(undefined);
          setView(next);
        }}
      />
      {state.problem !== null && !isSaidInSheet && (
        <div class="banner" role="alert">
          <Icon name="warning" />
          <span dir="auto">{state.problem}</span>
          {state.tab && !state.conversation && (
            <button type="button" class="small" onClick={panel.reconnect}>
              {t('retry')}
            </button>
          )}
          <IconButton icon="close" label={t('dismiss')} onClick={panel.dismissProblem} />
        </div>
      )}
      {there && (
        <Elsewhere
          elsewhere={there}
          onGo={() => {
            panel.goTo(there);
            setView('chat');
          }}
        />
      )}
      <p class="hidden" role="status" data-testid="announcement">
        {said === 'idle' ? '' : t(ANNOUNCEMENTS[said])}
      </p>
      <div
        class="view"
        id="view"
        role="tabpanel"
        aria-labelledby={`view-tab-${view === 'history' ? 'chat' : view}`}
      >
        {view === 'chat' && (
          <ChatPane
            state={state}
            busy={busy}
            intents={intents}
            models={models}
            panel={panel}
            onModels={() => (models ? setModels(false) : openModels())}
            startShare={start?.share ?? false}
          />
        )}
        {view === 'tools' && (
          <ToolList
            listed={state.catalog?.listed ?? []}
            notes={state.catalog?.catalog.notes ?? []}
            defer={currentSite(state).defer}
            onDefer={panel.setDefer}
            onExposure={panel.setExposure}
            runTool={panel.chat.runTool}
            start={tool}
          />
        )}
        {view === 'log' && <LogView events={state.events} onExportTrace={panel.exportTrace} />}
        {view === 'history' && (
          <History
            conversations={state.history}
            currentId={state.conversation?.id}
            intents={{
              ...panel.history,
              open: (id) => {
                panel.history.open(id);
                setView('chat');
              },
            }}
            onClose={() => setView('chat')}
          />
        )}
      </div>
    </main>
  );
}
