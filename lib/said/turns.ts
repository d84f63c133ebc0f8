/** Notices of a turn, and why it ended. */
export const TURN_WORDS = {
  'history-cut':
    'Earlier results or messages were left out of the prompt to fit the model’s window.',
  'answer-cut': 'The answer was cut off at $1 tokens.',
  'promotion-dropped': '$1 is no longer in the prompt: $2.',
  'dropped-room': 'made room for tools found later',
  'dropped-gone': 'no longer on the page',
  'dropped-hidden': 'it is hidden now',
  'tool-changed': '$1 has changed since it was found.',
  'result-note': '$1: $2',
  'form-waits': 'Once “$1” is filled in on the page, check it there and press “$2” to send it.',
  'form-waits-button':
    'Once “$1” is filled in on the page, check it there and press its button to send it.',
  'form-pressed': '“$1” has $2 buttons; “$3” is pressed.',
  'done-nothing': 'Nothing was done yet.',
  'done-so-far': 'Done so far: $1.',
  'done-times': '$1 ($2 times)',
  'end-repeated': 'The model asked for the same call again and again, so I stopped. $1',
  'end-tool-failed': '“$1” failed: $2 $3',
  'end-mistakes': 'The model could not make a proper call: $1 $2',
  'end-empty': 'The model gave no answer. $1',
  'end-step-limit': 'I stopped after $1 steps without a final answer. $2',
  'end-denied': '“$1” was not run.',
  'end-denied-done': '“$1” was not run. $2',
  'end-stopped': 'Stopped. $1',
  'end-interrupted': 'The browser ended while this was running.',
  'page-unreachable': 'The page cannot be reached: $1',
  'obstacle-restricted':
    'The browser lets no extension look into this page, so nothing can be done here. Open an ordinary web page and ask there.',
  'obstacle-reload':
    'This page was open before Pagehand was, so its tools cannot be seen. Reload it, then ask again.',
  'obstacle-asleep': 'The browser put this tab to sleep. Reload it, then ask again.',
  'tab-woken': 'The browser had put this tab to sleep; it was loaded again.',
  'tab-was-closed': 'The tab was closed.',
  'end-with-done': '$1 $2',
  'log-ends': 'The log ends here.',
  'done-doubtful': 'May have run without answering: $1.',
} as const;
