/** Errors as Chrome raises them, so that pages which handle the browser's also handle ours. */
export const typeError = (method: string, why: string) =>
  new TypeError(`Failed to execute '${method}' on 'ModelContext': ${why}`);

export const domError = (name: string, message: string) => new DOMException(message, name);

export const transient = () =>
  domError(
    'UnknownError',
    'The operation failed for an unknown transient reason (e.g. out of memory).',
  );
