import { useState } from 'preact/hooks';
import { IconButton, Tabs } from '../controls';
import { Icon } from '../Icon';
import { LogView } from '../log/LogView';
import { t } from '../text';
import { AskPane } from './AskPane';
import { EvalPane } from './EvalPane';
import type { DevtoolsIntents } from './panel';
import { ReadinessPane } from './ReadinessPane';
import { RunPane } from './RunPane';
import type { DevtoolsState, DevtoolsView } from './state';
import { ToolsPane } from './ToolsPane';

export interface DevtoolsProps {
  state: DevtoolsState;
  intents: DevtoolsIntents;
  start?: { view?: DevtoolsView; tool?: string; event?: string };
}

/** The DevTools panel, for the people who build the page. */
export function Devtools({ state, intents, start }: DevtoolsProps) {
  const [view, setView] = useState<DevtoolsView>(start?.view ?? 'tools');
  const [tool, setTool] = useState<string | undefined>(start?.tool);
  const listed = state.catalog?.listed ?? [];
  const run = (key: string) => {
    setTool(key);
    setView('run');
  };
  const tabs = [
    { value: 'tools', label: t('tabTools'), icon: 'tools', testId: 'dev-tools' },
    { value: 'run', label: t('devRun'), icon: 'run', testId: 'dev-run' },
    { value: 'ask', label: t('devAsk'), icon: 'chat', testId: 'dev-ask' },
    { value: 'readiness', label: t('devReadiness'), icon: 'check', testId: 'dev-readiness' },
    { value: 'log', label: t('tabLog'), icon: 'log', testId: 'dev-log' },
    { value: 'evals', label: t('devEvals'), icon: 'retry', testId: 'dev-evals' },
  ] as const;
  return (
    <main class="panel devtools">
      <h1 class="hidden">{t('extensionName')}</h1>
      <Tabs label={t('views')} tabs={tabs} current={view} panelId="dev-view" onSelect={setView} />
      {state.problem !== null && (
        <div class="banner" role="alert">
          <Icon name="warning" />
          <span dir="auto">{state.problem}</span>
          <IconButton icon="close" label={t('dismiss')} onClick={intents.dismissProblem} />
        </div>
      )}
      <div class="view" id="dev-view" role="tabpanel" aria-labelledby={`dev-view-tab-${view}`}>
        {view === 'tools' && (
          <ToolsPane
            state={state}
            intents={intents}
            selected={tool}
            onSelect={setTool}
            onRun={run}
          />
        )}
        {view === 'run' && (
          <RunPane
            listed={listed}
            runs={state.runs}
            saved={state.saved}
            selected={tool}
            onSelect={setTool}
            intents={intents}
          />
        )}
        {view === 'ask' && <AskPane asking={state.asking} onAsk={intents.ask} />}
        {view === 'readiness' && (
          <ReadinessPane
            listed={listed}
            url={state.catalog?.catalog.url ?? ''}
            onSave={intents.save}
          />
        )}
        {view === 'log' && (
          <LogView
            events={state.events}
            page={state.page.events}
            onOpenPlace={intents.openPlace}
            start={start?.event}
            onExportTrace={intents.exportTrace}
          />
        )}
        {view === 'evals' && (
          <EvalPane
            turns={state.conversation?.turns ?? 0}
            replaying={state.replaying}
            onRecord={intents.recordEval}
            onReplay={intents.replay}
            onStop={intents.stopReplay}
          />
        )}
      </div>
    </main>
  );
}
