import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { newSiteOf } from '../../lib/agent/history';
import type { TranscriptTurn } from '../../lib/agent/transcript';
import type { ListedTool } from '../../lib/messages/host-api';
import { Icon } from '../Icon';
import { t } from '../text';
import type { ChatIntents } from './intents';
import { Turn } from './Turn';

interface TranscriptProps {
  turns: readonly TranscriptTurn[];
  listed: readonly ListedTool[];
  busyWith?: string;
  /** Place of this conversation in the line for the model, 1 being next. */
  place?: number;
  intents: ChatIntents;
}

const NEAR_END_PX = 48;

/** The conversation. Stays at its end while it grows, unless the user scrolled away. */
export function Transcript({ turns, listed, busyWith, place, intents }: TranscriptProps) {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [away, setAway] = useState(false);
  useLayoutEffect(() => {
    if (atEnd.current) scrollToEnd(box.current);
  });
  const asks = turns.length;
  useEffect(() => {
    // A new request is always shown, wherever the user was.
    if (asks > 0) scrollToEnd(box.current);
  }, [asks]);
  return (
    <div class="transcript-frame">
      <div
        class="transcript"
        ref={box}
        role="log"
        // Streaming would be read out piece by piece; the panel's status line says what happens.
        aria-live="off"
        aria-label={t('transcript')}
        data-testid="transcript"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={(event) => {
          const { scrollHeight, scrollTop, clientHeight } = event.currentTarget;
          atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
          setAway(!atEnd.current);
        }}
      >
        {turns.map((turn, at) => (
          <Fragment key={turn.turnId}>
            <SiteDivider site={newSiteOf(turn, turns[at - 1])} />
            <MemoTurn
              turn={turn}
              listed={listed}
              busyWith={turn.queued ? busyWith : undefined}
              place={turn.queued ? place : undefined}
              intents={intents}
            />
          </Fragment>
        ))}
      </div>
      {away && (
        <button type="button" class="to-end small" onClick={() => scrollToEnd(box.current)}>
          <Icon name="down" />
          {t('toEnd')}
        </button>
      )}
    </div>
  );
}

/** Says that Pagehand knows nothing here of what is above. */
function SiteDivider({ site }: { site: string | undefined }) {
  if (site === undefined) return null;
  return (
    <p class="site-divider" data-testid="site-divider">
      {t('newSite', `\u2066${site}\u2069`)}
    </p>
  );
}

function scrollToEnd(element: HTMLElement | null): void {
  if (element) element.scrollTop = element.scrollHeight;
}

/** Turns that did not change are not drawn again: folds keep the identity of what stays the same. */
function MemoTurn({ turn, listed, busyWith, place, intents }: Parameters<typeof Turn>[0]) {
  return useMemo(
    () => <Turn turn={turn} listed={listed} busyWith={busyWith} place={place} intents={intents} />,
    [turn, listed, busyWith, place, intents],
  );
}
