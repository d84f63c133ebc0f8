/** Errors as Chrome raises them, so that pages which handle the browser's also handle ours. */
export const typeError = (method: string, why: string) =>
  new TypeError(`Failed to execute '${method}' on 'ModelContext': ${why}`);

export const domError = (name: string, message: string) => new DOMException(message, name);

/** What callers in the page get for whatever a tool threw. */
export const failed = () =>
  domError(
    'UnknownError',
    'Tool was executed but the invocation failed. For example, the script function threw an error',
  );

export const transient = () =>
  domError(
    'UnknownError',
    'The operation failed for an unknown transient reason (e.g. out of memory).',
  );
