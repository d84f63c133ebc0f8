import type { PageTool } from '../../lib/tools/tool';
import type { MessageKey } from '../text';

export const SURFACES: Record<PageTool['surface'], MessageKey> = {
  native: 'surfaceNative',
  shim: 'surfaceShim',
  polyfill: 'surfacePolyfill',
  form: 'surfaceForm',
};
