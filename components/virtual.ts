import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

interface VirtualOptions {
  count: number;
  /** A row's usual height in pixels, before it was measured. */
  estimate: number;
  keyOf: (index: number) => string;
}

/**
 * Rows of a long list that are on the screen, and a few around them. Put `box` on the scrolling
 * element, `height` on its only child, and `measure` with `data-index` on each row.
 */
export function useVirtual({ count, estimate, keyOf }: VirtualOptions) {
  const box = useRef<HTMLElement>(null);
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const options = {
    count,
    getScrollElement: () => box.current,
    estimateSize: () => estimate,
    getItemKey: keyOf,
    overscan: 8,
    initialRect: { width: 320, height: 600 },
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return {
    box,
    rows: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    scrollToEnd: () => virtualizer.scrollToIndex(count - 1, { align: 'end' }),
  };
}
