import { useMemo, useState } from 'preact/hooks';
import { isReadOnly } from '../../lib/agent/approval';
import type { ListedTool, RunToolResult } from '../../lib/messages/host-api';
import type { Listed } from '../../lib/said/said';
import type { SiteSettings } from '../../lib/settings/settings';
import type { JsonObject, PageTool } from '../../lib/tools/tool';
import { Select } from '../controls';
import { Icon } from '../Icon';
import { formatBytes, formatNumber, type MessageKey, plural, t } from '../text';
import { CatalogNotes } from './CatalogNotes';
import { deferChoices, type ExposureChoice, exposureChoices, exposureReason } from './exposure';
import { ToolRows } from './ToolRows';
import { ToolRunner } from './ToolRunner';
import { ToolSource } from './ToolSource';

interface ToolListProps {
  listed: readonly ListedTool[];
  notes: readonly Listed[];
  defer: SiteSettings['defer'];
  onDefer: (defer: SiteSettings['defer']) => void;
  onExposure: (tool: PageTool, exposure: ExposureChoice) => void;
  runTool: (key: string, args: JsonObject) => Promise<RunToolResult>;
  /** Name of a tool to look for and open at once. */
  start?: string;
}

/** The page's tools: how each reaches the model, what it costs, and its form. */
export function ToolList(props: ToolListProps) {
  const { listed, notes, defer, onDefer, onExposure, runTool } = props;
  const [search, setSearch] = useState(props.start ?? '');
  const [open, setOpen] = useState<string | null>(
    () => listed.find(({ tool }) => tool.name === props.start)?.tool.key ?? null,
  );
  const shown = useMemo(() => filterTools(listed, search), [listed, search]);
  return (
    <div class="tools-view">
      <div class="bar">
        <input
          type="search"
          aria-label={t('toolSearch')}
          placeholder={t('toolSearch')}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <Select
        label={t('deferLabel')}
        value={defer}
        choices={deferChoices()}
        onChange={onDefer}
        testId="defer"
      />
      <p class="quiet count" role="status">
        {plural('tools', shown.length)}
      </p>
      <CatalogNotes notes={notes} />
      <ToolRows listed={shown} estimate={76} testId="tool-list">
        {(item) => (
          <ToolRow
            listed={item}
            open={open === item.tool.key}
            onToggle={() => setOpen(open === item.tool.key ? null : item.tool.key)}
            onExposure={onExposure}
            runTool={runTool}
          />
        )}
      </ToolRows>
    </div>
  );
}

interface ToolRowProps {
  listed: ListedTool;
  open: boolean;
  onToggle: () => void;
  onExposure: ToolListProps['onExposure'];
  runTool: ToolListProps['runTool'];
}

const BY: Record<ListedTool['exposureBy'], MessageKey> = {
  user: 'exposureByUser',
  recipe: 'exposureByRecipe',
  site: 'exposureBySite',
  page: 'exposureByPage',
  auto: 'exposureByAuto',
};

function ToolRow({ listed, open, onToggle, onExposure, runTool }: ToolRowProps) {
  const { tool, exposure, exposureBy, bytes, tokens } = listed;
  return (
    <div class="tool" data-exposure={exposure}>
      <div class="tool-head">
        <button type="button" class="tool-name" aria-expanded={open} onClick={onToggle}>
          <Icon name="chevron" class={open ? 'turned' : ''} />
          <span dir="auto">{tool.title || tool.name}</span>
        </button>
        <Select
          label={t('exposureOf', tool.name)}
          hideLabel
          value={exposureBy === 'user' ? exposure : 'auto'}
          choices={exposureChoices(exposureBy === 'user' ? undefined : exposure)}
          onChange={(choice) => onExposure(tool, choice)}
        />
      </div>
      <p class="tool-line" dir="auto">
        {tool.description.slice(0, open ? 5000 : 300)}
      </p>
      <p class="small-print">
        {[
          t('toolCost', formatNumber(tokens), formatBytes(bytes)),
          ...(isReadOnly(tool) ? [t('readOnly')] : []),
          t(BY[exposureBy]),
        ].join(' · ')}
      </p>
      {open && (
        <>
          <ToolSource origin={tool.origin} name={tool.name} />
          <p class="small-print" dir="auto">
            {exposureReason(listed)}
          </p>
          <ToolRunner listed={listed} runTool={runTool} />
        </>
      )}
    </div>
  );
}

/** Tools whose name, title or description holds every word. */
export function filterTools(listed: readonly ListedTool[], search: string): readonly ListedTool[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return listed;
  return listed.filter(({ tool }) => {
    const text = `${tool.name} ${tool.title ?? ''} ${tool.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
