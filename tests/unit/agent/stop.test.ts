import { describe, expect, it } from 'vitest';
import { ASK_USER } from '../../../lib/agent/builtins';
import type { EventBody } from '../../../lib/agent/events';
import {
  add,
  call,
  fakePage,
  gives,
  runTurn,
  say,
  scriptedEngine,
  search,
  type TurnSetup,
} from './scripted';

const never = () => new Promise<never>(() => {});
const STARTS: EventBody['type'][] = [
  'step-started',
  'catalog-collected',
  'prompt-sent',
  'call-proposed',
  'approval-asked',
  'call-started',
  'question-asked',
  'tool-searched',
];

const script = () => [
  { reply: call('search_products', { query: 'blue mug' }) },
  { reply: call(ASK_USER, { question: 'Which?' }) },
  { reply: call('add_to_cart', { slug: 'blue mugs' }) },
  { reply: say('Done.') },
];
const turn = (setup: Partial<TurnSetup>) => {
  const engine = scriptedEngine(script());
  // A turn that is stopped leaves replies of its script behind.
  engine.check = () => {};
  return runTurn({
    script: [],
    engine,
    answer: () => 'the blue one',
    outcomes: { search_products: gives({ slug: 'blue-mug' }) },
    ...setup,
  });
};

describe('Stop', () => {
  it('ends the turn at every event, and nothing starts after it', async () => {
    const whole = await turn({});
    expect(whole.end.reason).toBe('answered');
    // The last two tell of the end itself.
    for (let at = 0; at < whole.events.length - 2; at++) {
      const controller = new AbortController();
      let seen = 0;
      const run = await turn({
        signal: controller.signal,
        onEvent: () => {
          if (seen++ === at) controller.abort(new DOMException('stopped', 'AbortError'));
        },
      });
      const after = run.types.slice(at + 1);
      expect(
        after.filter((type) => STARTS.includes(type)),
        `after ${run.types[at]}`,
      ).toEqual([]);
      const answered = run.types[at] === 'model-replied' && run.end.reason === 'answered';
      expect(answered || run.end.reason === 'stopped', `after ${run.types[at]}`).toBe(true);
    }
  }, 60_000);

  it.each<[string, (stop: () => void) => Partial<TurnSetup>]>([
    [
      'the tools are collected',
      (stop) => {
        const page = fakePage([search]);
        page.collect = () => {
          stop();
          return never();
        };
        return { page };
      },
    ],
    [
      'the model writes',
      (stop) => {
        const engine = scriptedEngine([{ reply: '{"type":"mess', hangs: true, before: stop }]);
        engine.check = () => {};
        return { engine };
      },
    ],
    [
      'the user is asked to approve',
      (stop) => {
        const engine = scriptedEngine([{ reply: call('add_to_cart', { slug: 'blue mugs' }) }]);
        return {
          engine,
          approve: () => {
            stop();
            return never();
          },
        };
      },
    ],
    [
      'the user is asked a question',
      (stop) => {
        const engine = scriptedEngine([{ reply: call(ASK_USER, { question: 'Which?' }) }]);
        return {
          engine,
          answer: () => {
            stop();
            return never();
          },
        };
      },
    ],
    [
      'the user fills in a form',
      (stop) => {
        const engine = scriptedEngine([
          { reply: call('add_to_cart') },
          { reply: call('add_to_cart') },
        ]);
        return {
          engine,
          answer: () => {
            stop();
            return never();
          },
        };
      },
    ],
    [
      'a tool runs',
      (stop) => {
        const page = fakePage([search, add], {
          search_products: () => {
            stop();
            return never();
          },
        });
        return { page };
      },
    ],
  ])('ends the turn while %s, although nothing there listens to the signal', async (_, setup) => {
    const controller = new AbortController();
    const stop = () => void setTimeout(() => controller.abort(), 0);
    const run = await turn({ signal: controller.signal, ...setup(stop) });
    expect(run.end.reason).toBe('stopped');
  });

  it('says of a call it cut short that it may have run', async () => {
    const controller = new AbortController();
    const page = fakePage([add], {
      add_to_cart: () => {
        setTimeout(() => controller.abort(), 0);
        return never();
      },
    });
    const engine = scriptedEngine([{ reply: call('add_to_cart', { slug: 'blue mugs' }) }]);
    const run = await runTurn({ script: [], engine, page, signal: controller.signal });
    expect(run.of('call-finished')).toMatchObject([{ ok: false, mayHaveRun: true }]);
    expect(run.end.message).toBe('Stopped. May have run without answering: add_to_cart.');
  });

  it('answers an open approval with a no', async () => {
    const controller = new AbortController();
    const engine = scriptedEngine([{ reply: call('add_to_cart', { slug: 'blue mugs' }) }]);
    const run = await runTurn({
      script: [],
      engine,
      signal: controller.signal,
      approve: () => {
        setTimeout(() => controller.abort(), 0);
        return never();
      },
    });
    expect(run.of('approval-answered')).toMatchObject([{ decision: 'deny', by: 'stop' }]);
    expect(run.page.calls).toEqual([]);
  });

  it('keeps what the model had said', async () => {
    const controller = new AbortController();
    const engine = scriptedEngine(
      [{ reply: 'The mug is', hangs: true, before: () => setTimeout(() => controller.abort(), 5) }],
      { dialect: 'hermes' },
    );
    const run = await runTurn({ script: [], engine, signal: controller.signal });
    expect(
      run
        .of('text')
        .map((event) => event.text)
        .join(''),
    ).toBe('The mug is');
    expect(run.of('model-replied')).toMatchObject([{ raw: 'The mug is', finish: 'abort' }]);
  });

  it('starts nothing when it was pressed before', async () => {
    const run = await turn({ signal: AbortSignal.abort() });
    expect(run.types).toEqual(['brief-updated', 'turn-ended']);
  });
});
