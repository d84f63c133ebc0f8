import type { ComponentChildren } from 'preact';
import { Devtools, type DevtoolsProps } from '../../../components/devtools/Devtools';
import { type DevtoolsState, initialState } from '../../../components/devtools/state';
import { ASKED, REPLAYED, RUN } from '../fixtures/devtools';
import { PAGE_LOG } from '../fixtures/page-log';
import { emptyPage, HARD, MANY, SHOP } from '../fixtures/tools';
import * as turns from '../fixtures/turns';
import { CONVERSATION, never, nothing } from './common';

const DEVTOOLS: DevtoolsProps['intents'] = {
  setDefer: nothing,
  setExposure: nothing,
  refresh: nothing,
  runTool: never,
  saveInput: nothing,
  forgetInput: nothing,
  ask: nothing,
  exportTrace: nothing,
  recordEval: nothing,
  replay: nothing,
  stopReplay: nothing,
  save: nothing,
  dismissProblem: nothing,
  reloadPage: nothing,
  openPlace: nothing,
  inspectForm: nothing,
};

function devtools(
  patch: Partial<DevtoolsState>,
  start?: DevtoolsProps['start'],
): () => ComponentChildren {
  const state: DevtoolsState = {
    ...initialState(1),
    catalog: SHOP,
    conversation: CONVERSATION,
    ...patch,
  };
  return () => <Devtools state={state} intents={DEVTOOLS} start={start} />;
}

/** The DevTools panel. */
export const DEVTOOLS_STATES: Record<string, () => ComponentChildren> = {
  'devtools-tools': devtools({}),
  'devtools-detail': devtools({}, { tool: 'doc0/search_products' }),
  'devtools-empty': devtools({ catalog: emptyPage('no-tools') }),
  'devtools-many': devtools({ catalog: MANY }),
  'devtools-run': devtools(
    {
      runs: [RUN],
      saved: [{ toolName: 'search_products', label: 'boots', arguments: { query: 'boots' } }],
    },
    { view: 'run' },
  ),
  'devtools-run-nested': devtools({}, { view: 'run', tool: 'doc0/place_order' }),
  'devtools-ask': devtools({ asking: ASKED }, { view: 'ask' }),
  'devtools-readiness': devtools({ catalog: HARD }, { view: 'readiness' }),
  'devtools-log': devtools({ events: turns.DONE }, { view: 'log' }),
  'devtools-log-page': devtools({ events: turns.DONE, page: PAGE_LOG }, { view: 'log' }),
  'devtools-log-call': devtools({ page: PAGE_LOG }, { view: 'log', event: 'page-8' }),
  'devtools-log-change': devtools({ page: PAGE_LOG }, { view: 'log', event: 'page-6' }),
  'devtools-registered': devtools({ page: PAGE_LOG }, { tool: 'doc0/search_products' }),
  'devtools-registered-late': devtools(
    { page: { ...PAGE_LOG, registrations: new Map(), late: new Set(['doc0']) } },
    { tool: 'doc0/search_products' },
  ),
  'devtools-registered-form': devtools({ page: PAGE_LOG }, { tool: 'doc0/newsletter' }),
  'devtools-evals': devtools({ replaying: REPLAYED }, { view: 'evals' }),
};
