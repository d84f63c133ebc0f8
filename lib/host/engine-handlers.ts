import type { HostHandlers } from '../messages/rpc';
import { WordsError } from '../said/said';
import { say } from '../said/say';
import type { EngineRoom } from './engine-room';

type Methods = 'describeEngines' | 'loadEngine' | 'cancelLoad' | 'unloadEngine' | 'deleteModel';

/** What the user does with models. */
export function engineHandlers(
  engines: EngineRoom,
  isAtWork: () => boolean,
): Pick<HostHandlers, Methods> {
  /** What takes the model away from the turn that holds it. */
  function refuseAtWork(): void {
    if (isAtWork()) throw new WordsError(say('model-at-work'));
  }
  return {
    describeEngines: (_params, _connection, signal) => engines.describe(signal),
    async loadEngine({ engine, model }) {
      const { id, model: loaded, state } = engines.state();
      const isOther = state === 'ready' && (id !== engine || loaded !== model);
      if (isOther && id !== 'instant') refuseAtWork();
      await engines.load(engine, model);
      return null;
    },
    cancelLoad() {
      engines.cancelLoad();
      return null;
    },
    async unloadEngine() {
      refuseAtWork();
      await engines.unload();
      return null;
    },
    async deleteModel({ engine, model }) {
      const { id, model: loaded = model } = engines.state();
      if (id === engine && loaded === model) refuseAtWork();
      await engines.deleteModel(engine, model);
      return null;
    },
  };
}
