import { builtInModel } from '../engines/browser-model';
import { beginPromptApiDownload } from '../engines/prompt-api/download';
import type { HostClient } from './host-api';

/**
 * The host, for a view whose clicks may start Chrome's download of its built-in model: the host itself
 * has no user whose gesture Chrome would accept.
 */
export function withBuiltInModel(host: HostClient): HostClient {
  return {
    ...host,
    async request(method, params, signal) {
      if (method === 'loadEngine' && 'engine' in params && params.engine === 'prompt-api')
        await beginPromptApiDownload(builtInModel(), navigator.language);
      return host.request(method, params, signal);
    },
  };
}
