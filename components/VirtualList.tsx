import type { ComponentChildren } from 'preact';
import { ScrollBox } from './controls';
import { useVirtual } from './virtual';

interface VirtualListProps<T> {
  items: readonly T[];
  keyOf: (item: T) => string;
  /** A row's usual height in pixels, before it was measured. */
  estimate: number;
  label: string;
  boxClass: string;
  listClass: string;
  testId: string;
  /** Whether the order says something: an `ol`, not a `ul`. */
  ordered?: boolean;
  /** `data-*` attributes of a row's `li`, for styles and tests. */
  marks: (item: T) => Record<`data-${string}`, string>;
  children: (item: T) => ComponentChildren;
}

/** A scrolling list of which only the rows on the screen are drawn, told as a whole to readers. */
export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, keyOf, estimate, marks, children } = props;
  const { box, rows, height, measure } = useVirtual({
    count: items.length,
    estimate,
    keyOf: (index) => {
      const item = items[index];
      return item === undefined ? String(index) : keyOf(item);
    },
  });
  const List = props.ordered ? 'ol' : 'ul';
  return (
    <ScrollBox class={props.boxClass} boxRef={box} label={props.label}>
      <List class={props.listClass} data-testid={props.testId} style={{ blockSize: `${height}px` }}>
        {rows.map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          return (
            <li
              key={row.key}
              ref={measure}
              data-index={row.index}
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
              style={{ transform: `translateY(${row.start}px)` }}
              {...marks(item)}
            >
              {children(item)}
            </li>
          );
        })}
      </List>
    </ScrollBox>
  );
}
