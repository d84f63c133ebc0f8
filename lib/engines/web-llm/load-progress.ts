import type { LoadProgress } from '../../agent/engine';
import type { InitReport } from './package';

/**
 * web-llm counts from 0 to 1 in each of its phases: reading the model, copying it to the graphics
 * card, compiling for it. Here they share one bar that only grows.
 */
const PHASES: readonly { text: RegExp; from: number; to: number }[] = [
  { text: /^Fetching param cache/, from: 0, to: 0 },
  { text: /^Loading model from cache/, from: 0, to: 0.5 },
  { text: /^Loading GPU shader/, from: 0.5, to: 1 },
  { text: /^Finish loading/, from: 1, to: 1 },
];

export function createLoadReport(
  progress: (p: LoadProgress) => void,
): (report: InitReport) => void {
  let done = 0;
  return (report) => {
    const phase = PHASES.find(({ text }) => text.test(report.text));
    if (!phase) return;
    const share = Number.isFinite(report.progress) ? Math.min(1, Math.max(0, report.progress)) : 0;
    done = Math.max(done, phase.from + (phase.to - phase.from) * share);
    progress({ phase: 'prepare', done, total: 1 });
  };
}
