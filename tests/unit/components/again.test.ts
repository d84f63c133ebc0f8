import { describe, expect, test } from 'vitest';
import { onceMore } from '../../../components/again';

describe('onceMore', () => {
  function setup() {
    const going: { resolve: () => void; reject: (error: Error) => void }[] = [];
    const look = onceMore(
      () => new Promise<void>((resolve, reject) => going.push({ resolve, reject })),
    );
    return { going, look };
  }
  const settled = () => new Promise((resolve) => setTimeout(resolve));

  test('asked many times while it runs, it runs once more, and never twice at once', async () => {
    const { going, look } = setup();
    const all = [look(), look(), look()];
    expect(going).toHaveLength(1);
    going[0]?.resolve();
    await settled();
    expect(going).toHaveLength(2);
    going[1]?.resolve();
    await Promise.all(all);
    expect(going).toHaveLength(2);
  });

  test('after a failure it can be asked again', async () => {
    const { going, look } = setup();
    const failed = look();
    going[0]?.reject(new Error('gone'));
    await expect(failed).rejects.toThrow('gone');
    const next = look();
    expect(going).toHaveLength(2);
    going[1]?.resolve();
    await next;
  });
});
