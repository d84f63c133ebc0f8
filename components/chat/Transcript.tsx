import { Component, Fragment } from 'preact';

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { newSiteOf } from '../../lib/agent/history';
import type { TranscriptTurn } from '../../lib/agent/transcript';
import type { ListedTool } from '../../lib/messages/host-api';
import { Icon } from '../Icon';
import { plural, t } from '../text';
import { type Fork, sameFork } from './forks';
import type { ChatIntents } from './intents';
import { Turn, type TurnProps } from './Turn';

interface TranscriptProps {
  turns: readonly TranscriptTurn[];
  listed: readonly ListedTool[];
  /** By turn: its other versions. */
  forks?: ReadonlyMap<string, Fork>;
  /** Shows another version of a turn. */
  onVersion?: (fork: Fork, turnId: string) => void;
  busyWith?: string | undefined;
  /** Place of this conversation in the line for the model, 1 being next. */
  place?: number | undefined;
  intents: ChatIntents;
}

const NEAR_END_PX = 48;
/** Turns that are drawn when a conversation opens, and how many more at a press. */
const LATEST = 30;
const MORE = 50;

/** The conversation. Stays at its end while it grows, unless the user scrolled away. */
export function Transcript(props: TranscriptProps) {
  const { turns, listed, forks, onVersion, busyWith, place, intents } = props;
  const tools = useMemo(() => new Map(listed.map((one) => [one.tool.key, one])), [listed]);
  /** Of the first turn that is drawn: what comes later is always drawn. */
  const [from, setFrom] = useState(() => Math.max(0, turns.length - LATEST));
  const first = Math.min(from, Math.max(0, turns.length - 1));
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
        {first > 0 && (
          <button
            type="button"
            class="small earlier"
            data-testid="earlier"
            onClick={() => setFrom(Math.max(0, first - MORE))}
          >
            {plural('earlierTurns', first)}
          </button>
        )}
        {turns.slice(first).map((turn, at) => (
          <Fragment key={turn.turnId}>
            <SiteDivider site={newSiteOf(turn, turns[first + at - 1])} />
            <MemoTurn
              turn={turn}
              listed={tools}
              fork={forks?.get(turn.turnId)}
              onVersion={onVersion}
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

/**
 * Turns that did not change are not drawn again: folds keep the identity of what stays the same, and the
 * panel keeps that of tools. A component, not a kept vnode: that would keep every state it was drawn in.
 */
class MemoTurn extends Component<TurnProps> {
  override shouldComponentUpdate(next: TurnProps): boolean {
    const { turn, fork, listed, busyWith, place, onVersion, intents } = this.props;
    return (
      next.turn !== turn ||
      next.busyWith !== busyWith ||
      next.place !== place ||
      next.onVersion !== onVersion ||
      next.intents !== intents ||
      !sameFork(next.fork, fork) ||
      (next.listed !== listed &&
        toolsOf(turn).some((key) => next.listed.get(key) !== listed.get(key)))
    );
  }

  override render(props: TurnProps) {
    return <Turn {...props} />;
  }
}

const toolsOf = ({ items }: TranscriptTurn): string[] =>
  items.flatMap((item) => (item.kind === 'call' && item.call.tool ? [item.call.tool.key] : []));
