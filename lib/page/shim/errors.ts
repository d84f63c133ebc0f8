/** Errors as Chrome raises them, so that pages which handle the browser's also handle ours. */
export const typeError = (method: string, why: string) =>
  new TypeError(`Failed to execute '${method}' on 'ModelContext': ${why}`);

/** Of a member that a dictionary has to have. */
export const missing = (method: string, member: string, dictionary: string) =>
  typeError(
    method,
    `Failed to read the '${member}' property from '${dictionary}': Required member is undefined.`,
  );

export const domError = (name: string, message: string) => new DOMException(message, name);

/** Made in time: in a frame that was taken out of its page no DOMException can be made any more. */
export const inactive = domError('InvalidStateError', 'The document is not active.');

export const transient = () =>
  domError(
    'UnknownError',
    'The operation failed for an unknown transient reason (e.g. out of memory).',
  );
