/** A failed call with the tool's own words, and whether it is known to have run. */
export class SaidError extends Error {
  constructor(
    message: string,
    readonly said?: string,
    readonly ran?: boolean,
  ) {
    super(message);
  }
}
