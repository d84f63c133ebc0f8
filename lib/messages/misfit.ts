import * as z from 'zod';
import { WordsError } from '../said/said';
import { say } from '../said/say';

/** An answer that does not fit what was asked: the other side is another version. It did hear. */
export class MisfitError extends WordsError {
  constructor(method: string, error: z.ZodError) {
    super(say('parts-differ', method, z.prettifyError(error)));
    this.name = 'MisfitError';
  }
}
