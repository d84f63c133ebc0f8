import * as z from 'zod';

/** An answer that does not fit what was asked: the other side is another version. It did hear. */
export class MisfitError extends Error {
  constructor(method: string, error: z.ZodError) {
    super(
      `Pagehand’s parts do not understand each other (“${method}”: ${z.prettifyError(error)}). It was probably updated: close this view and open it again.`,
    );
    this.name = 'MisfitError';
  }
}
