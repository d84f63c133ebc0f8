import type { ComponentChildren } from 'preact';
import type { PageEvent } from '../../lib/page/inspector/event';
import type { CutText, Place } from '../../lib/page/inspector/wire';
import { CopyButton } from '../controls';
import { formatDuration, formatNumber, t } from '../text';
import { JsonTree } from '../value/JsonTree';
import { Places } from './Places';
import { jsonOf, outcomeOf } from './page-events';

interface PageEventDetailProps {
  event: PageEvent;
  onOpenPlace: ((place: Place) => void) | undefined;
}

/** Everything known of something the page did: where, who, with what, and what came of it. */
export function PageEventDetail({ event, onOpenPlace }: PageEventDetailProps) {
  const places = 'places' in event ? event.places : [];
  return (
    <div class="log-detail page-detail" data-testid="page-event">
      <CopyButton text={JSON.stringify(event, null, 2)} label={t('logCopyEvent')} />
      <dl class="facts">
        <Fact name={t('detailOrigin')}>
          <span dir="auto">{`${event.origin} · ${t('frame', event.frameId)}`}</span>
        </Fact>
        {event.type === 'page-call' && <Fact name={t('calledBy')}>{whoCalled(event)}</Fact>}
        {event.type === 'page-call' && (
          <Fact name={t('arguments')}>
            {event.args ? <Cut cut={event.args} label={t('arguments')} /> : t('notVisible')}
          </Fact>
        )}
        {event.type === 'page-call' && <Outcome call={event} />}
        {event.type === 'page-tool-changed' &&
          event.changes.map(({ field, before, after }) => (
            <Fact key={field} name={field}>
              <del dir="auto">{before || '–'}</del>
              <ins dir="auto">{after || '–'}</ins>
            </Fact>
          ))}
        {event.type === 'page-tool-registered' && (
          <Fact name={t('description')}>
            <span dir="auto">{event.description}</span>
          </Fact>
        )}
        {places.length > 0 && (
          <Fact name={t('calledFrom')}>
            <Places places={places} onOpen={onOpenPlace} />
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type PageCall = Extract<PageEvent, { type: 'page-call' }>;

function whoCalled({ by, elsewhere, places }: PageCall): string {
  if (by === 'page') return t(elsewhere ? 'byPageElsewhere' : 'byPage');
  const extension = /^[a-z]+-extension:\/\/([^/]+)/.exec(places[0]?.url ?? '')?.[1];
  return extension ? t('byExtension', extension) : t('byOther');
}

function Outcome({ call }: { call: PageCall }) {
  const { end, args } = call;
  if (!end) return <Fact name={t('callOutcome')}>{t(args ? 'callRunning' : 'notVisible')}</Fact>;
  const time = end.ms === undefined ? '' : ` · ${formatDuration(end.ms)}`;
  return (
    <Fact name={t('callOutcome')}>
      {`${outcomeOf(end)}${time}`}
      {end.said && <Cut cut={end.said} label={t('callResult')} />}
    </Fact>
  );
}

function Cut({ cut: { text, length }, label }: { cut: CutText; label: string }) {
  return (
    <>
      <JsonTree value={jsonOf(text)} label={label} />
      {length > text.length && (
        <span class="small-print">
          {t('cutTo', formatNumber(text.length), formatNumber(length))}
        </span>
      )}
    </>
  );
}
