import { CALL_WORDS } from './calls';
import { ENGINE_WORDS } from './engines';
import { HOST_WORDS } from './host';
import { PAGE_WORDS } from './page';
import { TURN_WORDS } from './turns';

/**
 * Every sentence the host has for its user, by its code. Each has the same English in
 * `public/_locales/en` under `said_…` (`-` is `_` there), and a translation in every other language.
 */
export const WORDS = {
  ...ENGINE_WORDS,
  ...PAGE_WORDS,
  ...CALL_WORDS,
  ...TURN_WORDS,
  ...HOST_WORDS,
} as const;
