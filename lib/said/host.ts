/** Why the host did not do what a view asked for. */
export const HOST_WORDS = {
  'model-at-work': 'The model is at work. Stop it first.',
  'conversation-gone': 'This conversation no longer exists.',
  'conversation-elsewhere':
    'This conversation is at work in another tab. Open that tab, or stop it there.',
  'conversation-busy': 'This conversation still works on the last request. Stop it first.',
  'message-gone': 'This message no longer exists.',
  'case-needs-page': 'Open the conversation on its page first: the case needs the page’s tools.',
  'import-not-json': 'This file is not JSON. Choose a file that Pagehand exported as JSON.',
  'import-not-conversation':
    'This file is not a Pagehand conversation; these parts of it do not fit: $1 Choose a file that Pagehand exported as JSON.',
  'answer-too-large':
    'The answer is too large for Chrome to hand over. Start a new conversation, or delete large ones.',
  'connection-lost': 'The connection to Pagehand’s host was lost. Try again.',
  'request-unknown': 'Unknown request: $1',
  'no-page': 'There is no page.',
  'parts-differ':
    'Pagehand’s parts do not understand each other (“$1”: $2). It was probably updated: close this view and open it again.',
  'no-engine': 'There is no engine.',
  'not-kept-full':
    'This conversation is not being kept: the disk, or the part of it that the browser grants, is full. It goes on, but is gone when the browser closes. Free some disk space, or delete old conversations or models.',
  'not-kept-unavailable':
    'This conversation is not being kept: the browser lets Pagehand store nothing ($1). It goes on, but is gone when the browser closes. Start the browser again; if that does not help, delete everything in Pagehand’s options.',
  'history-lost':
    'Conversations are gone: the browser found its store of them damaged and dropped some or all. What you ask from now on is kept again.',
  'page-unreadable': 'This page cannot be read.',
} as const;
