/**
 * Lets one request through at a time. A reader that left early may come back before the engine has let
 * go of its last request; an interrupt meant for that one must not hit the next.
 */
export interface Turnstile {
  /** Resolves when it is the caller's turn, with the function that ends it. */
  enter(): Promise<() => void>;
}

export function createTurnstile(): Turnstile {
  let last: Promise<void> = Promise.resolve();
  return {
    async enter() {
      const before = last;
      let leave = () => {};
      last = new Promise((resolve) => {
        leave = resolve;
      });
      await before;
      return leave;
    },
  };
}
