import { useMemo, useState } from 'preact/hooks';
import type { AgentEvent } from '../../lib/agent/events';
import type { PageEvent } from '../../lib/page/inspector/event';
import type { Place } from '../../lib/page/inspector/wire';
import { CopyButton } from '../controls';
import { Icon } from '../Icon';
import { formatTime, type MessageKey, plural, t } from '../text';
import { VirtualList } from '../VirtualList';
import { asJson } from '../value/as-json';
import { JsonTree } from '../value/JsonTree';
import {
  callNames,
  filterLog,
  groupOf,
  LOG_GROUPS,
  type LogGroup,
  type LoggedEvent,
  lineOf,
  mergeLog,
  titleOf,
} from './describe';
import { PageEventDetail } from './PageEventDetail';
import { isPageEvent, PAGE_GROUPS } from './page-events';

const GROUP_LABELS: Record<LogGroup, MessageKey> = {
  turn: 'logGroupTurn',
  page: 'logGroupPage',
  tools: 'logGroupTools',
  model: 'logGroupModel',
  call: 'logGroupCall',
  problem: 'logGroupProblem',
  'own-call': 'logGroupOwnCall',
  'own-tool': 'logGroupOwnTool',
};
const ALL_GROUPS = [...LOG_GROUPS, ...PAGE_GROUPS];

interface LogViewProps {
  events: readonly AgentEvent[];
  /** What the page did by itself; absent where nobody looks. */
  page?: readonly PageEvent[];
  onOpenPlace?: (place: Place) => void;
  /** Id of an event to show opened. */
  start?: string;
  /** Absent where there is nothing to export from. */
  onExportTrace?: () => void;
}

/** Every event of the conversation, filterable, each opening to all it holds. */
export function LogView({ events, page, onOpenPlace, start, onExportTrace }: LogViewProps) {
  const [groups, setGroups] = useState<ReadonlySet<LogGroup>>(new Set(ALL_GROUPS));
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(start ? [start] : []));
  const all = useMemo(() => mergeLog(events, page ?? []), [events, page]);
  const names = useMemo(() => callNames(events), [events]);
  const shown = useMemo(() => filterLog(all, groups, search), [all, groups, search]);
  const toggle = <T,>(set: ReadonlySet<T>, value: T): Set<T> => {
    const next = new Set(set);
    if (!next.delete(value)) next.add(value);
    return next;
  };
  return (
    <div class="log-view">
      <div class="bar wrap">
        <input
          type="search"
          aria-label={t('logSearch')}
          placeholder={t('logSearch')}
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
        <CopyButton text={() => JSON.stringify(shown, null, 2)} label={t('logCopyAll')} />
        {onExportTrace && (
          <button type="button" class="small" onClick={onExportTrace}>
            <Icon name="export" />
            {t('exportTrace')}
          </button>
        )}
      </div>
      <fieldset class="chips">
        <legend class="hidden">{t('logFilter')}</legend>
        {(page ? ALL_GROUPS : LOG_GROUPS).map((group) => (
          <button
            type="button"
            key={group}
            class="chip"
            data-group={group}
            aria-pressed={groups.has(group)}
            onClick={() => setGroups(toggle(groups, group))}
          >
            {t(GROUP_LABELS[group])}
          </button>
        ))}
      </fieldset>
      <p class="quiet count" role="status">
        {plural('events', shown.length)}
      </p>
      <VirtualList
        items={shown}
        keyOf={(event) => event.id}
        estimate={30}
        label={t('tabLog')}
        boxClass="log-box"
        listClass="log"
        testId="log"
        ordered
        marks={(event) => ({ 'data-type': event.type })}
      >
        {(event) => (
          <LogRow
            event={event}
            line={lineOf(event, names)}
            open={open.has(event.id)}
            onOpenPlace={onOpenPlace}
            onToggle={() => setOpen(toggle(open, event.id))}
          />
        )}
      </VirtualList>
    </div>
  );
}

interface LogRowProps {
  event: LoggedEvent;
  line: string;
  open: boolean;
  onToggle: () => void;
  onOpenPlace: ((place: Place) => void) | undefined;
}

function LogRow({ event, line, open, onToggle, onOpenPlace }: LogRowProps) {
  const own = isPageEvent(event);
  return (
    <>
      <button type="button" class="log-row" aria-expanded={open} onClick={onToggle}>
        <Icon name="chevron" class={open ? 'turned' : ''} />
        <span class="log-mark" data-group={groupOf(event)} aria-hidden="true" />
        <span class="log-time">{formatTime(event.at)}</span>
        {own && <span class="log-own">{t('logOwn')}</span>}
        <span class="log-title">{titleOf(event)}</span>
        <span class="log-line" dir="auto">
          {line}
        </span>
      </button>
      {open && own && <PageEventDetail event={event} onOpenPlace={onOpenPlace} />}
      {open && !own && (
        <div class="log-detail">
          <CopyButton text={JSON.stringify(event, null, 2)} label={t('logCopyEvent')} />
          <JsonTree value={asJson(event)} label={titleOf(event)} />
        </div>
      )}
    </>
  );
}
