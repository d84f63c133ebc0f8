/** Why a call of a page’s tool failed, and what was cut or left out of a page. */
export const PAGE_WORDS = {
  'call-failed-silently':
    '"$1" failed, and the browser does not pass on why. The page\'s console has the error.',
  'call-withdrawn': '"$1" was withdrawn, or its frame went away, while it was being called.',
  'call-answer-lost': '"$1" ran, but its answer is no longer kept.',
  'call-frame-gone': 'The frame that offered "$1" is gone.',
  'call-not-allowed': 'The page does not allow tools in the frame that offered "$1".',
  'call-form-lost':
    '"$1" is on the page, but the browser no longer offers it. Reload the page to get it back.',
  'call-form-stopped':
    'The page stopped its own form from being sent and gave no answer; "$1" may or may not have done its work.',
  'call-no-reason': '"$1" failed without saying why.',
  'call-timeout': '"$1" gave no answer within $2 seconds and was told to stop.',
  'call-crashed': 'The page crashed, or went away, before "$1" answered. Reload it to go on.',
  'call-tab-closed': 'The tab was closed before "$1" answered.',
  'call-went-elsewhere': 'The page went elsewhere before "$1" answered.',
  'call-no-answer': 'The page gave no answer and stayed where it is.',
  'result-cut': 'The result was cut after $1 characters.',
  'call-changed': 'The page changed this tool before it ran; nothing ran.',
  'call-gone': 'The page changed or removed this tool before it ran; nothing ran.',
  'call-stopped': 'Stopped before it answered.',
  'call-lapsed': 'Not run: the page changed before the user answered.',
  'call-unfinished': 'The turn ended before the result came; the call may have run.',
  'tool-not-offered': 'The page no longer offers this tool. Open the tool list again.',
  'worker-lost': 'Pagehand’s background ended before it answered.',
  'tab-closed': 'The tab is closed.',
  'tab-asleep': 'The browser put this tab to sleep; reload it to use its tools.',
  'frames-skipped': 'Only the first $1 of $2 frames were asked for tools.',
  'page-restricted': 'Extensions may not look into this page.',
  'page-silent': 'The page did not answer; it may be busy.',
  'page-opened-before': 'This page was open before Pagehand was; reload it if tools are missing.',
  'notes-more': '… and $1 more of the kind.',
  'frame-withheld': {
    one: '$1 tool of a frame from $2 left out: the page does not let that frame offer tools (allow="tools").',
    other:
      '$1 tools of a frame from $2 left out: the page does not let that frame offer tools (allow="tools").',
  },
  'tools-dropped': {
    one: '$1 tool was left out: more than $2, too large or malformed.',
    other: '$1 tools were left out: more than $2, too large or malformed.',
  },
  'description-cut': 'The description of "$1" ($2 characters) was cut to $3.',
  'schema-too-large':
    'The schema of "$1" was left out: it is larger than $2 characters or nested too deep to read.',
  'schema-not-json': 'The schema of "$1" was left out: it is not JSON.',
  'schema-not-object': 'The schema of "$1" was left out: it is not an object.',
  'schema-cut': 'The schema of "$1" was cut below $2 levels or after $3 parts.',
  'refused-accepts-nothing': 'Not offered: its schema (false) accepts no call at all.',
  'refused-kind': 'Not offered: its schema is not a JSON Schema object ($1).',
  'refused-unnamed': 'Not offered: its schema takes $1, not named arguments.',
  'refused-many-arguments': 'Not offered: it declares $1 arguments; at most $2 can be offered.',
  'tool-silent': 'The tool failed and did not say why.',
} as const;
