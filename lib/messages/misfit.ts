import * as z from 'zod';
import { SaidError } from '../said/said';
import { say } from '../said/say';

/** An answer that does not fit what was asked: the other side is another version. It did hear. */
export class MisfitError extends SaidError {
  constructor(method: string, error: z.ZodError) {
    super(say('parts-differ', method, z.prettifyError(error)));
    this.name = 'MisfitError';
  }
}
