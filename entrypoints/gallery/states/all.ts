import type { ComponentChildren } from 'preact';
import { DEVTOOLS_STATES } from './devtools';
import { OPTIONS_STATES } from './options';
import { PANEL_STATES } from './panel';

/** Every state of every view, by the name that its address and its screenshot carry. */
export const STATES: Record<string, () => ComponentChildren> = {
  ...PANEL_STATES,
  ...DEVTOOLS_STATES,
  ...OPTIONS_STATES,
};
