// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Transcript } from '../../../components/chat/Transcript';
import type { TranscriptTurn } from '../../../lib/agent/transcript';
import { speakEnglish } from './english';

beforeEach(speakEnglish);
afterEach(cleanup);

let made = 0;
const turn = (url: string, navigated: string[] = []): TranscriptTurn => ({
  turnId: `t${++made}`,
  at: 0,
  ask: 'hello',
  url,
  items: navigated.map((to, at) => ({ kind: 'navigated', id: `${made}.${at}`, url: to })),
  steps: [],
});

const dividers = (...turns: TranscriptTurn[]) => {
  const none = () => Promise.reject(new Error('not here'));
  const intents = new Proxy({}, { get: () => none }) as never;
  const { queryAllByTestId } = render(<Transcript turns={turns} listed={[]} intents={intents} />);
  return queryAllByTestId('site-divider').map((divider) => divider.textContent);
};

test('a conversation that moves to another site says so', () => {
  const a = 'https://a.test';
  const b = 'https://b.test';
  expect(
    dividers(turn(`${a}/1`), turn(`${a}/2`, [`${a}/3`]), turn(`${b}/1`), turn(`${a}/1`)),
  ).toEqual([
    `Now on \u2066${b}\u2069. What was said above stays on its own site.`,
    `Now on \u2066${a}\u2069. What was said above stays on its own site.`,
  ]);
});

test('also after a turn that went to another site by itself', () => {
  const turns = [turn('https://a.test/', ['https://b.test']), turn('https://b.test/')];
  expect(dividers(...turns)).toHaveLength(1);
});
