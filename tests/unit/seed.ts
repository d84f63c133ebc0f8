import fc from 'fast-check';

/**
 * Property tests try the same values on every run, so that a red build means a change made it red.
 * `PAGEHAND_SEED=random` (or a number) looks at other values.
 */
const seed = process.env['PAGEHAND_SEED'];
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed ?? 20_261_130) });
