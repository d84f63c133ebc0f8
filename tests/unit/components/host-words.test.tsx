// @vitest-environment happy-dom
import { cleanup, fireEvent, render, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChatIntents } from '../../../components/chat/intents';
import { Turn } from '../../../components/chat/Turn';
import { setTexts } from '../../../components/text';
import { exposureReason } from '../../../components/tools/exposure';
import { SHOP_TOOLS } from '../../../entrypoints/gallery/fixtures/tools';
import type { EventBody } from '../../../lib/agent/events';
import { foldTranscript } from '../../../lib/agent/transcript';
import type { ListedTool } from '../../../lib/messages/host-api';
import { names, say, sentences } from '../../../lib/said/say';
import german from '../../../public/_locales/de/messages.json';
import { speakEnglish } from './english';
import { eventsOf } from './fake-host';

const nothing = () => undefined;
const INTENTS: ChatIntents = {
  send: nothing,
  stop: nothing,
  answerApproval: async () => [],
  answerQuestion: nothing,
  retry: nothing,
  runTool: () => new Promise(nothing),
  share: nothing,
  reloadPage: nothing,
  openModels: nothing,
  openTools: nothing,
};
const STARTED: EventBody = {
  type: 'turn-started',
  ask: 'Finde Stiefel',
  tabId: 1,
  url: 'https://shop.example/',
  engine: 'instant',
};
const FAILURE = 'The download broke off at 412 MB.';
const failed = (kind: string): EventBody[] => [
  STARTED,
  { type: 'engine-failed', engine: 'web-llm', kind, message: FAILURE, remedies: ['retry'] },
  { type: 'turn-ended', reason: 'engine-failed', message: FAILURE, remedies: [], steps: 1 },
];
const limit: EventBody[] = [
  STARTED,
  {
    type: 'turn-ended',
    reason: 'step-limit',
    message: 'I stopped after 8 steps without a final answer.',
    remedies: [],
    steps: 8,
  },
];

function show(bodies: EventBody[]) {
  const [turn] = foldTranscript(eventsOf('c1', 't1', bodies));
  if (!turn) throw new Error('There is no turn.');
  return render(<Turn turn={turn} listed={new Map()} intents={INTENTS} />);
}

afterEach(cleanup);

describe('to a German reader', () => {
  beforeEach(() => setTexts('de', german));

  test('an ending is told in German, the host’s English only on request', async () => {
    const { container, getByText, queryByText, findByText } = show(limit);
    expect(container.querySelector('.end')?.textContent).toBe(german.endStepLimit.message);
    expect(queryByText(/8 steps/)).toBeNull();
    const fold = getByText(german.hostWords.message).closest('details');
    if (!fold) throw new Error('There is no fold.');
    fold.open = true;
    fireEvent(fold, new Event('toggle'));
    const words = await findByText(/8 steps/);
    expect(words.closest('[lang]')?.getAttribute('lang')).toBe('en');
  });

  test.each([
    ['download', german.failDownload.message],
    ['memory', german.failMemory.message],
    ['constructor', german.failFailed.message],
  ])('an engine failure of kind %s is told in German', (kind, text) => {
    expect(show(failed(kind)).container.querySelector('.failure')?.textContent).toContain(text);
  });

  test('an ending with a code is told in full, without a fold', () => {
    const { text, said } = say(
      'end-step-limit',
      6,
      sentences([say('done-so-far', names(['buy']))]),
    );
    const { container, queryByText } = show([
      STARTED,
      { type: 'turn-ended', reason: 'step-limit', message: text, said, remedies: [], steps: 6 },
    ]);
    expect(container.querySelector('.end')?.textContent).toBe(
      'Nach 6 Schritten ohne endgültige Antwort habe ich aufgehört. Bisher getan: buy.',
    );
    expect(queryByText(german.hostWords.message)).toBeNull();
  });

  test('a notice is told in German; one of an older log, and a page’s words, as they are', () => {
    const { container } = show([
      STARTED,
      { type: 'notice', level: 'info', ...say('history-cut') },
      { type: 'notice', level: 'info', text: 'Something was cut.' },
    ]);
    const [coded, old] = container.querySelectorAll('.notice');
    expect(coded?.textContent).toBe(german.said_history_cut.message);
    expect(old?.textContent).toBe('Something was cut.');
    expect(old?.querySelector('[dir="auto"]')).not.toBeNull();
  });

  test('why a call failed, what was mended and what was not checked are told in German', async () => {
    const call = { key: 'd/buy', name: 'buy', origin: 'https://shop.example' };
    const error = say('call-timeout', 'buy', 120);
    const { container } = show([
      STARTED,
      {
        type: 'call-proposed',
        step: 1,
        callId: 'k',
        tool: call,
        arguments: { qty: 3 },
        deferred: false,
        readOnly: true,
        consequential: false,
        fixes: [say('fix-value', '"3"', '3', 'qty'), 'an older fix'],
        unsourced: [],
        unchecked: [say('unchecked-work')],
      },
      { type: 'call-started', callId: 'k' },
      {
        type: 'call-finished',
        callId: 'k',
        ok: false,
        result: null,
        shown: '',
        error: error.text,
        said: error.said,
        ms: 1,
        mayHaveRun: false,
      },
    ]);
    const fold = container.querySelector<HTMLDetailsElement>('.call-fold');
    if (!fold) throw new Error('There is no card.');
    fold.open = true;
    fireEvent(fold, new Event('toggle'));
    await waitFor(() => expect(container.querySelector('.call-notes')).not.toBeNull());
    const text = container.textContent ?? '';
    expect(text).toContain('„buy“ gab innerhalb von 120 Sekunden keine Antwort');
    expect(text).toContain('"3" → 3 für „qty“');
    expect(text).toContain('an older fix');
    expect(text).toContain(german.said_unchecked_work.message);
    expect(text).not.toContain('gave no answer');
  });

  test('an answer stays as the model wrote it', () => {
    const { queryByText } = show([
      STARTED,
      { type: 'turn-ended', reason: 'answered', message: 'Two pairs.', remedies: [], steps: 1 },
    ]);
    expect(queryByText('Two pairs.')).not.toBeNull();
    expect(queryByText(german.hostWords.message)).toBeNull();
  });
});

describe('to an English reader', () => {
  beforeEach(speakEnglish);

  test('the host’s own words say the most and are shown at once', () => {
    expect(show(limit).queryByText(/after 8 steps/)).not.toBeNull();
  });

  test('a failure is told once, though the turn ends with the same words', () => {
    expect(show(failed('download')).getAllByText(FAILURE).length).toBe(1);
  });
});

describe('why a tool reaches the model as it does', () => {
  beforeEach(() => setTexts('de', german));
  const [tool] = SHOP_TOOLS;
  const listed = (patch: Partial<ListedTool>): ListedTool => {
    if (!tool) throw new Error('The shop has no tools.');
    return { ...tool, reason: { text: 'not offered: too deep' }, ...patch };
  };

  test('is told in the user’s language where a code tells it', () => {
    expect(exposureReason(listed({ exposureBy: 'user', exposure: 'hidden' }))).toBe(
      'Von Ihnen festgelegt: Verborgen.',
    );
    expect(exposureReason(listed({ exposureBy: 'site', exposure: 'deferred' }))).toBe(
      german.exposureWhySiteDeferred.message,
    );
  });

  test('is told in the host’s words where only they name the fault', () => {
    expect(exposureReason(listed({ exposureBy: 'page', exposure: 'hidden' }))).toBe(
      'not offered: too deep',
    );
  });
});
