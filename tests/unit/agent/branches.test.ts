import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathOf, pathTo, versionsOf, withFollowers } from '../../../lib/agent/branches';

const turn = (turnId: string, after?: string) => ({
  turnId,
  ...(after === undefined ? {} : { after }),
});
const ids = (turns: readonly { turnId: string }[]) => turns.map(({ turnId }) => turnId);

/** a – b – c, then b asked again as B, followed by d. */
const EDITED = [turn('a'), turn('b'), turn('c'), turn('B', 'a'), turn('d')];

describe('a conversation with branches', () => {
  it('shows the newest version, or the chosen one', () => {
    expect(ids(pathOf(EDITED))).toEqual(['a', 'B', 'd']);
    expect(ids(pathOf(EDITED, new Map([['a', 'b']])))).toEqual(['a', 'b', 'c']);
    expect(ids(versionsOf(EDITED).get('a') ?? [])).toEqual(['b', 'B']);
  });

  it('goes on from where the user is', () => {
    const back = [...EDITED, turn('e', 'c')];
    expect(ids(pathTo(back, 'e'))).toEqual(['a', 'b', 'c', 'e']);
    expect(ids(pathOf(back, new Map([['a', 'b']])))).toEqual(['a', 'b', 'c', 'e']);
  });

  it('begins anew where the first message is asked again', () => {
    expect(ids(pathOf([turn('a'), turn('b'), turn('A', '')]))).toEqual(['A']);
  });

  it('knows what was left behind', () => {
    expect(ids(withFollowers(EDITED, 'b'))).toEqual(['b', 'c']);
  });

  it('every turn has one place, and every path ends, whatever a log says', () => {
    const after = fc.option(fc.constantFrom('', '0', '1', '2', '5', '9', 'x'), { nil: undefined });
    fc.assert(
      fc.property(fc.array(after, { maxLength: 10 }), (afters) => {
        const turns = afters.map((one, index) => turn(String(index), one));
        expect([...versionsOf(turns).values()].flat()).toHaveLength(turns.length);
        for (const { turnId } of turns) {
          expect(ids(pathTo(turns, turnId)).at(-1)).toBe(turnId);
          expect(ids(withFollowers(turns, turnId))[0]).toBe(turnId);
        }
        if (turns.length > 0) expect(pathOf(turns).length).toBeGreaterThan(0);
      }),
    );
  });
});
