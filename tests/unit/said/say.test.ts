import { describe, expect, test } from 'vitest';
import { AgentEvent } from '../../../lib/agent/events';
import { foldTranscript } from '../../../lib/agent/transcript';
import { type Words, WordsError, Words as WordsSchema, wordsOfError } from '../../../lib/said/said';
import { about, names, say, sentences } from '../../../lib/said/say';

describe('a sentence', () => {
  test('is written in English, with its code and values beside it', () => {
    expect(say('call-timeout', 'search', 120)).toEqual({
      text: '"search" gave no answer within 120 seconds and was told to stop.',
      said: { code: 'call-timeout', values: ['search', 120] },
    });
  });

  test('counts', () => {
    expect(say('tools-dropped', 1, 1000).text).toMatch(/^1 tool was left out: more than 1,000/);
    expect(say('tools-dropped', 3, 1000).text).toMatch(/^3 tools were left out/);
  });

  test('takes bytes, names and other sentences', () => {
    expect(say('memory-needed', { bytes: 1.6e9 }, { bytes: 2e9 }).text).toContain('about 1.6 GB');
    expect(say('requires-first', names(['a', 'b'], 'and'), 'c').text).toBe('Use a and b before c.');
    const inner = say('broken-answered', 'hub.example', '503');
    expect(say('download-stopped', sentences([inner]), { bytes: 5e6 }).text).toBe(
      'The download stopped (hub.example answered 503). 5.0 MB are kept: load the model again to go on from there.',
    );
  });

  test('does not read its values as a template', () => {
    expect(say('call-no-reason', '$1 $2 $&').text).toBe('"$1 $2 $&" failed without saying why.');
  });

  test('may tell the user otherwise than the model', () => {
    const words = about('You have done that.', say('call-repeated', 'search'));
    expect(words.text).toBe('You have done that.');
    expect(words.said?.code).toBe('call-repeated');
  });
});

describe('an error', () => {
  test('carries how to say it over a throw', () => {
    const words = say('model-at-work');
    expect(wordsOfError(new WordsError(words))).toEqual(words);
  });

  test('of somebody else has its words alone', () => {
    expect(wordsOfError(new TypeError('x is not a function'))).toEqual({
      text: 'x is not a function',
    });
    expect(wordsOfError('no')).toEqual({ text: 'no' });
  });
});

describe('what comes back over a border or out of a log', () => {
  const stamp = { id: '1', at: 1, conversationId: 'c', turnId: 't' };

  test('is what went in, sentences in sentences included', () => {
    const type = say('argument-type', '"qty"', names([say('type-integer')], 'or'), '"x"');
    const several = say('several', sentences([type, say('argument-missing', '"sku"')]));
    const end = say('end-mistakes', sentences([several]), sentences([say('done-nothing')]));
    expect(WordsSchema.parse(JSON.parse(JSON.stringify(end)))).toEqual(end);
  });

  test('an older log without codes reads as ever', () => {
    const old = [
      { ...stamp, type: 'notice', level: 'info', text: 'Cut.' },
      {
        ...stamp,
        type: 'call-proposed',
        step: 1,
        callId: 'k',
        tool: { key: 'd/t', name: 't', origin: 'https://a.example' },
        arguments: {},
        deferred: false,
        readOnly: true,
        consequential: false,
        fixes: ['"3" → 3 for "qty"'],
        unsourced: [],
        unchecked: ['its pattern'],
      },
      {
        ...stamp,
        type: 'turn-ended',
        reason: 'stopped',
        message: 'Stopped.',
        remedies: [],
        steps: 1,
      },
    ].map((event) => AgentEvent.parse(event));
    const [turn] = foldTranscript(old);
    expect(turn?.items[0]).toMatchObject({ kind: 'notice', text: 'Cut.' });
    expect(turn?.items[1]).toMatchObject({ call: { fixes: ['"3" → 3 for "qty"'] } });
    expect(turn?.end?.message).toBe('Stopped.');
  });

  test.each([
    ['a code that is none', { code: 7, values: [] }],
    ['values of another kind', { code: 'history-cut', values: [{ html: '<b>' }] }],
    ['sentences without an end', endless(5000)],
  ])('%s leaves the English and the event', (_, said) => {
    const event = AgentEvent.parse({ ...stamp, type: 'notice', level: 'info', text: 'Cut.', said });
    expect(event).toMatchObject({ type: 'notice', text: 'Cut.' });
    expect(event).not.toHaveProperty('said.values.0.html');
  });
});

/** Words in words in words, as nobody writes them. */
function endless(depth: number): Words['said'] {
  let words: Words = { text: 'x' };
  for (let at = 0; at < depth; at++) {
    words = { text: 'x', said: { code: 'several', values: [{ list: [words], as: 'text' }] } };
  }
  return words.said;
}
