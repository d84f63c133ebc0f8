/** Speed over the last few seconds: long enough to be calm, short enough to notice a slow line. */
const WINDOW_MS = 5000;

export interface Speed {
  bytesPerSecond?: number;
  secondsLeft?: number;
}

/** Returns a function that takes the bytes done so far and says how fast it goes. */
export function createMeter(now: () => number, total: number | undefined): (done: number) => Speed {
  const samples: { at: number; done: number }[] = [];
  return (done) => {
    const at = now();
    samples.push({ at, done });
    while (samples.length > 2 && at - (samples[1]?.at ?? at) > WINDOW_MS) samples.shift();
    const first = samples[0];
    if (!first || at - first.at < 200 || done <= first.done) return {};
    const bytesPerSecond = ((done - first.done) / (at - first.at)) * 1000;
    return {
      bytesPerSecond,
      ...(total === undefined ? {} : { secondsLeft: Math.max(0, total - done) / bytesPerSecond }),
    };
  };
}
