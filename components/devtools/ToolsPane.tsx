import { useMemo, useState } from 'preact/hooks';
import type { ListedTool } from '../../lib/messages/host-api';
import { siteSettings } from '../../lib/settings/settings';
import { originOf } from '../../lib/tools/origin';
import { IconButton, Select } from '../controls';
import { formatBytes, formatNumber, plural, t } from '../text';
import { CatalogNotes } from '../tools/CatalogNotes';
import { deferChoices, EXPOSURES } from '../tools/exposure';
import { filterTools } from '../tools/ToolList';
import { ToolRows } from '../tools/ToolRows';
import type { DevtoolsIntents } from './panel';
import { RegisteredAt } from './RegisteredAt';
import { type SortBy, sortTools } from './sort';
import type { DevtoolsState } from './state';
import { SURFACES } from './surfaces';
import { ToolDetail } from './ToolDetail';

interface ToolsPaneProps {
  state: DevtoolsState;
  intents: DevtoolsIntents;
  selected: string | undefined;
  onSelect: (key: string | undefined) => void;
  onRun: (key: string) => void;
}

/** Every tool of the tab, live; the selected one in full beside the list. */
export function ToolsPane({ state, intents, selected, onSelect, onRun }: ToolsPaneProps) {
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<SortBy>('page');
  const listed = state.catalog?.listed ?? NONE;
  const shown = useMemo(() => sortTools(filterTools(listed, search), sort), [listed, search, sort]);
  const chosen = listed.find(({ tool }) => tool.key === selected);
  const bytes = shown.reduce((sum, item) => sum + item.bytes, 0);
  const tokens = shown.reduce((sum, item) => sum + item.tokens, 0);
  const site = siteSettings(state.settings, originOf(state.catalog?.catalog.url ?? '') ?? '');
  return (
    <div class="split">
      <div class="split-list">
        <div class="bar">
          <input
            type="search"
            aria-label={t('toolSearch')}
            placeholder={t('toolSearch')}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <Select
            label={t('sortBy')}
            hideLabel
            value={sort}
            choices={[
              { value: 'page', label: t('sortPage') },
              { value: 'name', label: t('sortName') },
              { value: 'bytes', label: t('sortBytes') },
              { value: 'tokens', label: t('sortTokens') },
            ]}
            onChange={setSort}
          />
          <IconButton icon="retry" label={t('refresh')} onClick={intents.refresh} />
        </div>
        <Select
          label={t('deferLabel')}
          value={site.defer}
          choices={deferChoices()}
          onChange={intents.setDefer}
          testId="defer"
        />
        <p class="quiet count" role="status">
          {`${plural('tools', shown.length)} · ${t('toolCost', formatNumber(tokens), formatBytes(bytes))}`}
        </p>
        <CatalogNotes notes={state.catalog?.catalog.notes ?? []} />
        <Rows shown={shown} selected={selected} onSelect={onSelect} />
      </div>
      {chosen ? (
        <ToolDetail
          listed={chosen}
          onRun={() => onRun(chosen.tool.key)}
          onExposure={(exposure) => intents.setExposure(chosen.tool, exposure)}
          registered={
            <RegisteredAt
              tool={chosen.tool}
              registration={state.page.registrations.get(chosen.tool.key)}
              late={state.page.late.has(chosen.tool.documentId)}
              intents={intents}
            />
          }
        />
      ) : (
        <p class="quiet split-detail">{t(listed.length > 0 ? 'devSelectTool' : 'devNoTools')}</p>
      )}
    </div>
  );
}

const NONE: never[] = [];

interface RowsProps {
  shown: readonly ListedTool[];
  selected: string | undefined;
  onSelect: (key: string) => void;
}

function Rows({ shown, selected, onSelect }: RowsProps) {
  return (
    <ToolRows listed={shown} estimate={44} testId="dev-tool-list">
      {(item) => (
        <button
          type="button"
          class="dev-row"
          aria-pressed={item.tool.key === selected}
          onClick={() => onSelect(item.tool.key)}
        >
          <span class="dev-row-name" dir="auto">
            {item.tool.name}
          </span>
          <span class="dev-row-cost">
            {t('toolCost', formatNumber(item.tokens), formatBytes(item.bytes))}
          </span>
          <span class="small-print" dir="auto">
            {[
              t(EXPOSURES[item.exposure]),
              t(SURFACES[item.tool.surface]),
              t('frame', item.tool.frameId),
              item.tool.origin,
            ].join(' · ')}
          </span>
        </button>
      )}
    </ToolRows>
  );
}
