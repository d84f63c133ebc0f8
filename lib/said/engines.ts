/** Why a model cannot run or be had, and what each is good at. */
export const ENGINE_WORDS = {
  'program-mismatch':
    'The program for $1 in this build does not fit this version. Choose another model or update Pagehand.',
  'gpu-gave-up':
    'The graphics card gave up while loading $1; usually its memory is too small. Try a smaller model.',
  'memory-short': 'There is not enough memory for $1. Close other tabs or choose a smaller model.',
  'memory-short-here':
    'There is not enough memory for this model. Close other tabs or choose a smaller model.',
  'gpu-cannot-run': 'The graphics card cannot run $1: $2. Choose another model.',
  'model-not-started':
    '$1 could not be started: $2. Try again, or delete the model and load it anew.',
  'window-exceeded':
    'The conversation is longer than this model can read. Start a new chat or choose a model with a larger window.',
  'window-exceeded-by':
    'The conversation is longer than the $1 tokens this model can read. Start a new chat or choose a model with a larger window.',
  'gpu-lost': 'The graphics card was lost. The chat is kept; load the model again to go on.',
  'gpu-memory':
    'The graphics card ran out of memory. The chat is kept; load a smaller model to go on.',
  'model-stopped': 'The model stopped: $1. The chat is kept; load it again to go on.',
  'llama-file-too-large':
    'llama.cpp could not load a single file of $1. Above 2 GB use a split model (names like model-00001-of-00003.gguf) or a smaller one.',
  'llama-not-loaded':
    'llama.cpp could not load this model: $1. Its kind may be too new for this version; choose another model.',
  'llama-memory': 'llama.cpp ran out of memory. The chat is kept; load a smaller model to go on.',
  'llama-refused':
    'llama.cpp refused the request; usually the model’s chat template does not accept such a conversation. Load another model to go on.',
  'llama-stopped': 'llama.cpp stopped: $1. The chat is kept; load the model again to go on.',
  'file-not-stored': '$1 is not in the store any more. Pick the file again.',
  'model-unknown':
    'There is no model called $1. Choose one of the list, a GGUF file or its address.',
  'model-unknown-here':
    'There is no model called $1 for this graphics card. Choose one of the list.',
  'no-model-chosen': 'No model was chosen.',
  'no-model-loaded': 'No model is loaded. Load one first.',
  'browser-too-old': 'This browser lacks WebAssembly features that llama.cpp needs. Update Chrome.',
  'nano-missing':
    'This browser has no built-in model. Chrome 138 or later on a desktop computer has one; choose another engine otherwise.',
  'nano-unavailable':
    'Chrome says its built-in model cannot run here. It needs 22 GB of free disk space and a graphics card with more than 4 GB, or 16 GB of memory and 4 cores.',
  'nano-not-loaded': 'Chrome’s built-in model is not loaded yet.',
  'nano-needs-click':
    'Chrome downloads its built-in model only after a click. Press “Use” beside it under Models.',
  'nano-unsupported':
    'Chrome’s built-in model cannot be used here: it does not support this machine or language. Choose another engine.',
  'nano-not-started':
    'Chrome’s built-in model did not start ($1). Try again, or choose another engine.',
  'nano-window':
    'The conversation is longer than Chrome’s built-in model can read. Start a new chat, or choose an engine with a larger window.',
  'nano-window-by':
    'The conversation is longer than Chrome’s built-in model can read ($1 of $2 tokens). Start a new chat, or choose an engine with a larger window.',
  'nano-shut-down':
    'Chrome’s built-in model was shut down. The chat is kept; load it again to go on.',
  'nano-stopped':
    'Chrome’s built-in model stopped ($1). The chat is kept; try again, or choose another engine.',
  'nano-downloading': 'Chrome is downloading it.',
  'download-unfinished': 'Its download is unfinished.',
  'download-stopped':
    'The download stopped ($1). $2 are kept: load the model again to go on from there.',
  'broken-file-changed': 'the file changed on the server',
  'broken-connection': 'the connection broke',
  'broken-early': 'the connection ended early',
  'broken-unreachable': '$1 could not be reached',
  'broken-answered': '$1 answered $2',
  'download-too-long':
    'The server sent more bytes than the file has. What came was deleted; try again or use another address.',
  'not-a-model-file': '$1 is a web page, not a model file. Copy the address of the file itself.',
  'download-refused': '$1 did not give the model: $2 ($3).',
  'refused-private': 'the file is not public, or its licence must be accepted on the site first',
  'refused-missing': 'there is no such file',
  'refused-status': 'it answered $1',
  'disk-full':
    'The disk space this browser may use is full. What was downloaded is kept; free some space or delete a model, then load it again.',
  'space-needed':
    '$1 needs $2, but this browser may use only $3 more. Free some disk space, delete another model, or choose a smaller one.',
  'file-differs':
    'A downloaded file is not the one its publisher lists (SHA-256 differs). It was deleted; load the model again, or use another source.',
  'file-size-differs':
    '$1 has $2 bytes where its list says $3. Delete the model and load it again, or use another source.',
  'description-unreadable':
    'The description of $1 could not be read. Delete the model and load it again.',
  'parts-needed': 'This file is part $1 of $2: all of its parts are needed at once.',
  'no-file-picked': 'No file was picked.',
  'model-without-files': 'A model without files was asked for.',
  'import-unreadable': 'The imported model could not be read back.',
  'not-gguf':
    'The file is not a usable GGUF model: $1. Delete it and get it again, or choose another file.',
  'gguf-value-type': 'its header holds an unknown value type ($1)',
  'gguf-list': 'its header holds an unreadable list',
  'gguf-short': 'it holds $1 bytes where $2 are needed',
  'gguf-ends': 'it ends inside its header',
  'gguf-endless': 'its header does not end',
  'gguf-begin': 'it does not begin with “GGUF”',
  'gguf-version': 'GGUF version $1 is not known',
  'gguf-senseless': 'its header makes no sense',
  'gguf-dimensions': 'a tensor has too many dimensions',
  'no-gpu':
    'This browser offers no graphics card (WebGPU). Turn on hardware acceleration in Chrome’s settings, or use llama.cpp.',
  'gpu-limits': 'This graphics card ($1) cannot run these models: $2. Use llama.cpp.',
  'gpu-few-buffers': 'it lets a shader use too few buffers',
  'gpu-small-shared': 'its shared memory is too small',
  'gpu-small-buffers': 'its buffers are too small',
  'program-missing':
    'Its program is not part of this build of Pagehand, and programs are never downloaded.',
  'buffers-needed': 'It needs graphics buffers of $1; this card allows $2.',
  'f16-needed': 'It needs 16-bit shaders, which this graphics card or its driver does not have.',
  'gpu-emulated':
    'Graphics is only emulated on this machine: a word would take minutes. Use llama.cpp.',
  'memory-needed': 'It needs about $1 of memory; this machine has $2 for everything.',
  'engine-missing': 'This build has no engine “$1”.',
  'not-installed': '$1 is not on this machine yet. Get it under Models, or choose another engine.',
  'engine-stores-nothing': 'This engine keeps no models on this machine.',
  'went-wrong': 'Something went wrong: $1',
  'good-nano': 'Ready at once where Chrome has it; short tasks in five languages.',
  'good-balance':
    'Choosing among a few tools in many languages; the best balance for most graphics cards.',
  'good-small-gpu': 'Single calls on small graphics cards; short answers.',
  'good-longer-arguments': 'Calls with longer arguments on small graphics cards.',
  'good-plain': 'Plain calls and answers without thinking first.',
  'good-steps-laptop': 'Tasks of several steps on a laptop with a good graphics card.',
  'good-english-tools': 'English tasks with tools; made for calling them.',
  'good-reliable': 'The most reliable calls here; needs a graphics card with 4 GB or more.',
  'good-reasoning': 'Reasoning about results; needs a graphics card with 4 GB or more.',
  'good-trying': 'Trying whether this machine can do it; too small for more than one plain call.',
  'good-cpu-start':
    'Tool calls in several languages on a processor alone; the best start for most machines.',
  'good-old-single': 'Single, plain calls on old machines; it loses the thread in longer tasks.',
  'good-old-free': 'Single calls on old machines, under a free licence.',
  'good-few-tools': 'Choosing among a few tools in many languages; short answers.',
  'good-patience':
    'Calls with longer arguments in many languages; wants a graphics card or patience.',
  'good-steps': 'Tasks of several steps; wants a graphics card or a fast processor.',
  'good-able': 'The most able here: several steps and many tools; needs a graphics card.',
  'good-rules': 'One clear request at a time, in English; at once and without a download.',
  'none-installed':
    'No model of this engine is on this machine yet. Get one under Models, or choose another engine.',
} as const;
