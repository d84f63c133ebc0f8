import * as z from 'zod';

// Evaluated over the DevTools protocol, eval passes zod's probe and is refused afterwards. To be
// imported before any module that makes schemas.
z.config({ jitless: true });
