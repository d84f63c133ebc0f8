import { describe, expect, test } from 'vitest';
import { parseToolCalls } from '../../../lib/calls/parse';
import { createReplyFilter } from '../../../lib/calls/prose-filter';

/** An answer that speaks of tags and calls keeps its words. */

const names = new Set(['search']);
const CALL = '{"name": "search", "arguments": {"q": "x"}}';
const fence = (json: string, label = 'json') => `\`\`\`${label}\n${json}\n\`\`\``;
const read = (raw: string) => parseToolCalls(raw, names);
const streamed = (raw: string): string => {
  const filter = createReplyFilter({ toolNames: names });
  return ([...raw].map((c) => filter.push(c).prose).join('') + filter.flush().prose).trim();
};

describe('a thought tag', () => {
  test.each([
    'Put <thinking> around your notes, and sum up below.',
    'Put <think> around your notes.',
    'Use [THINK] for notes.',
    'Use **<think>** for notes.',
    'Where a log has </think>, skip the line.',
    'Put <thinking> before and </thinking> after your notes.',
    'The pair is "<think>" and "</think>".',
    'First <think> and then <think> again.',
  ])('is part of the answer: %s', (raw) => {
    expect(read(raw)).toEqual({ text: raw, thinking: '', calls: [], errors: [] });
    expect(streamed(raw)).toBe(raw);
  });

  test.each([
    ['Sure. <think>hm</think> Here.', 'hm', 'Sure.  Here.'],
    ['<think>hm</think>Here.', 'hm', 'Here.'],
    ['hm so.</think>Here.', 'hm so.', 'Here.'],
    ['hm, so </think>\n\nHere.', 'hm, so', 'Here.'],
    ['<think>a<think>b</think>c</think>Here.', 'a<think>b</think>c', 'Here.'],
    ['<think>use <think> tags</think>Here.', 'use <think> tags', 'Here.'],
    ['<thought>hm</thought>Here.', 'hm', 'Here.'],
    ['<reasoning>hm</reasoning>\nHere.', 'hm', 'Here.'],
  ])('still is a thought: %s', (raw, thinking, text) => {
    expect(read(raw)).toMatchObject({ thinking, text });
  });

  test('a call in a thought behind words that never ends is told, not run', () => {
    const { calls, errors } = read(`Let me <think> so <tool_call>${CALL}</tool_call>`);
    expect(calls).toEqual([]);
    expect(errors).toHaveLength(1);
  });
});

describe('a call in a fence', () => {
  test.each([
    `Send this body:\n${fence(CALL)}\nThe server answers with a list.`,
    `Send this body:\n${fence(CALL, '')}\nThe server answers with a list.`,
    `${fence(CALL)}\nis how it is called.`,
    `First\n${fence(CALL)}\nthen\n${fence(CALL)}\nand done.`,
    `First\n${fence(CALL)}\nthen\n${fence(CALL)}`,
    `It looks like this:\n${fence('{"name": "pay_invoice_now", "arguments": {}}')}`,
  ])('is a sample where words follow: %s', (raw) => {
    expect(read(raw)).toEqual({ text: raw, thinking: '', calls: [], errors: [] });
    expect(streamed(raw)).toBe(raw);
  });

  test.each([
    [fence(CALL), ''],
    [`I'll look:\n${fence(CALL)}\n`, "I'll look:"],
    [`I'll look:\n${fence(CALL, '')}`, "I'll look:"],
    [`${fence(CALL)}<|im_end|>`, ''],
  ])('is a call where none do: %s', (raw, text) => {
    expect(read(raw)).toMatchObject({
      text,
      calls: [{ name: 'search', arguments: { q: 'x' } }],
      errors: [],
    });
    expect(streamed(raw)).toBe(text);
  });

  test('two fences are two calls, with nothing between them', () => {
    expect(read(`${fence(CALL)}\n\n${fence(CALL)}`).calls).toHaveLength(2);
  });

  test('a name that is nearly one of those offered is told', () => {
    expect(read(`I'll look:\n${fence(CALL.replace('search', 'Search'))}`).errors).toHaveLength(1);
  });
});
