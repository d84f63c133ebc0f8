import type {
  Availability,
  CreateOptions,
  LanguageModelApi,
  LanguageModelSession,
  PromptMessage,
  PromptOptions,
} from '../../../../lib/engines/prompt-api/language-model';

/**
 * Stands in for Chrome's `LanguageModel` with the errors Chromium 156 was seen to raise: unknown
 * constraint keywords, a system prompt that is not first, downloads without a click, full windows,
 * sessions that were destroyed. One token is one character.
 */
export interface FakeModel extends LanguageModelApi {
  state: Availability;
  window: number;
  /** What a prompt is answered with, piece by piece; may throw. */
  answer: (turns: PromptMessage[], options: PromptOptions) => Iterable<string>;
  created: CreateOptions[];
  /** Prompts as they were given to sessions, in order. */
  prompts: { session: number; input: PromptMessage[]; options: PromptOptions }[];
  alive: Set<number>;
}

const REFUSED = ['oneOf', 'not', 'if', 'uniqueItems'];

export function createFakeModel(): FakeModel {
  let count = 0;
  const length = (turns: PromptMessage[]) =>
    turns.reduce((sum, turn) => sum + turn.content.length, 0);

  function session(read: PromptMessage[]): LanguageModelSession {
    const id = ++count;
    const turns = [...read];
    model.alive.add(id);
    const live = () => {
      if (!model.alive.has(id)) throw new DOMException('session destroyed', 'InvalidStateError');
    };
    const members = {
      get contextUsage() {
        return length(turns);
      },
      get contextWindow() {
        return model.window;
      },
      async measureContextUsage(input: PromptMessage[]) {
        live();
        return length(input);
      },
      promptStreaming(input: PromptMessage[], options: PromptOptions) {
        live();
        if (input.some((turn) => turn.role === 'system'))
          throw new TypeError('system must be first');
        model.prompts.push({ session: id, input, options });
        const text = JSON.stringify(options.responseConstraint ?? {});
        if (REFUSED.some((word) => text.includes(`"${word}":`)))
          throw new DOMException('unsupported schema', 'NotSupportedError');
        const pieces = model.answer([...turns, ...input], options)[Symbol.iterator]();
        let reply = '';
        return new ReadableStream<string>(
          {
            async pull(controller) {
              await Promise.resolve();
              if (options.signal?.aborted) throw options.signal.reason;
              const { done, value } = pieces.next();
              if (done) {
                turns.push(...input, { role: 'assistant', content: reply });
                controller.close();
              } else {
                reply += value;
                controller.enqueue(value);
              }
            },
          },
          { highWaterMark: 0 },
        );
      },
      async clone() {
        live();
        return session(turns);
      },
      destroy: () => void model.alive.delete(id),
    };
    // Getters stay getters, which Object.assign would read once.
    return Object.defineProperties(
      new EventTarget(),
      Object.getOwnPropertyDescriptors(members),
    ) as LanguageModelSession;
  }

  const model: FakeModel = {
    state: 'available',
    window: 1000,
    answer: () => ['Hel', 'lo.'],
    created: [],
    prompts: [],
    alive: new Set(),
    availability: async () => model.state,
    params: async () => ({ maxTopK: 8, maxTemperature: 2 }),
    async create(options) {
      model.created.push(options);
      options.signal.throwIfAborted();
      if (model.state === 'unavailable')
        throw new DOMException('not on this machine', 'NotSupportedError');
      if (model.state !== 'available') {
        throw new DOMException(
          'Requires a user gesture when availability is "downloading" or "downloadable".',
          'NotAllowedError',
        );
      }
      const initial = options.initialPrompts ?? [];
      if (length(initial) > model.window) {
        throw Object.assign(new DOMException('too large', 'QuotaExceededError'), {
          requested: length(initial),
          quota: model.window,
        });
      }
      return session(initial);
    },
  };
  return model;
}
