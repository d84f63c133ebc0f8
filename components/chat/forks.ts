import { ROOT, versionsOf, withFollowers } from '../../lib/agent/branches';
import type { TranscriptTurn } from '../../lib/agent/transcript';
import { deedsOf } from './deeds';

/** A turn that was asked in several versions. */
export interface Fork {
  /** The turn that all versions follow. */
  parent: string;
  versions: readonly string[];
  /** Which one is shown, from 0. */
  at: number;
  /** What was done in the versions that are not shown, in words. */
  elsewhere: string;
}

/** Of the shown turns those that have other versions. */
export function forksOf(
  turns: readonly TranscriptTurn[],
  path: readonly TranscriptTurn[],
): Map<string, Fork> {
  const all = versionsOf(turns);
  const forks = new Map<string, Fork>();
  let parent = ROOT;
  for (const { turnId } of path) {
    const versions = (all.get(parent) ?? []).map((turn) => turn.turnId);
    if (versions.length > 1) {
      const others = versions.filter((id) => id !== turnId);
      forks.set(turnId, {
        parent,
        versions,
        at: versions.indexOf(turnId),
        elsewhere: deedsOf(others.flatMap((id) => withFollowers(turns, id))),
      });
    }
    parent = turnId;
  }
  return forks;
}

export const sameFork = (a: Fork | undefined, b: Fork | undefined): boolean =>
  a?.parent === b?.parent &&
  a?.at === b?.at &&
  a?.elsewhere === b?.elsewhere &&
  a?.versions.length === b?.versions.length;
