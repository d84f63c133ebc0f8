import * as z from 'zod';
import { EvalSite } from '../../lib/evals/format';
import type { TurnScore } from '../../lib/evals/score';

/** One recorded case, asked again. */
export interface ReplayedCase {
  id: string;
  engine: string;
  turns: TurnScore[];
}

/** Reads a file of eval cases (docs/evals.md) into files of one case each. Throws what does not fit, in words. */
export function readEvalFile(text: string): EvalSite[] {
  const file = EvalSite.safeParse(JSON.parse(text));
  if (!file.success) throw new Error(z.prettifyError(file.error));
  return file.data.cases.map((one) => ({ ...file.data, cases: [one] }));
}
