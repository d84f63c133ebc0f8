// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/preact';
import { afterEach, expect, test } from 'vitest';
import { VirtualList } from '../../../components/VirtualList';

afterEach(cleanup);

test('a long list draws what is on the screen, and tells a reader how long it is', () => {
  const { container } = render(
    <VirtualList
      items={Array.from({ length: 3000 }, (_, at) => `item ${at}`)}
      keyOf={(item) => item}
      estimate={30}
      label="Things"
      boxClass="box"
      listClass="list"
      testId="things"
      ordered
      marks={(item) => ({ 'data-thing': item })}
    >
      {(item) => <b>{item}</b>}
    </VirtualList>,
  );
  const rows = Array.from(container.querySelectorAll('ol > li'));
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.length).toBeLessThan(60);
  const third = rows[2];
  expect(third?.getAttribute('data-thing')).toBe('item 2');
  expect(third?.textContent).toBe('item 2');
  expect(third?.getAttribute('aria-posinset')).toBe('3');
  expect(third?.getAttribute('aria-setsize')).toBe('3000');
});
