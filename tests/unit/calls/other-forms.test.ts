import { describe, expect, test } from 'vitest';
import { parseToolCalls } from '../../../lib/calls/parse';
import type { ParsedCall, ParseResult } from '../../../lib/calls/result';

const names = new Set(['search']);
const CALL = '{"name":"search","arguments":{"q":"x"}}';
const read = (raw: string) => parseToolCalls(raw, names);

describe('forms of other families', () => {
  test.each([
    `<tools>${CALL}</tools>`,
    `<tools>\n${CALL}\n</tools>`,
    `<tool_calls>[${CALL}]</tool_calls>`,
    `<tool_use>${CALL}</tool_use>`,
    `<function_call>${CALL}</function_call>`,
    '{"tool":"search","arguments":{"q":"x"}}',
    '{"tool_name":"search","parameters":{"q":"x"}}',
    `{"function_call":${CALL}}`,
    '{"action":"search","action_input":{"q":"x"}}',
    '{"thought":"I look","name":"search","arguments":{"q":"x"}}',
    '<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"q":"x"}<|call|>',
    '<|start|>assistant<|channel|>commentary to=functions.search<|message|>{"q":"x"}<|call|>',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q":"x"}<|tool_call_end|><|tool_calls_section_end|>',
    '<tool_call>search\n<arg_key>q</arg_key>\n<arg_value>x</arg_value>\n</tool_call>',
    '<function_calls>\n<invoke name="search"><parameter name="q">x</parameter></invoke>\n</function_calls>',
  ])('are read: %s', (raw) => {
    const { calls, errors } = read(raw);
    expect(calls).toMatchObject([{ name: 'search', arguments: { q: 'x' } }]);
    expect(errors).toEqual([]);
  });

  test.each([
    '<|action_start|><|plugin|>{"name":"search","parameters":{"q":"x"}}<|action_end|>',
    '<|START_ACTION|>[{"tool_call_id":"0","tool_name":"search","parameters":{"q":"x"}}]<|END_ACTION|>',
    'call:search{q:<|"|>x<|"|>}',
    '{"call":"search","q":"x"}',
    '<function_calls>search(q=x)</function_calls>',
  ])('are told where they are not: %s', (raw) => {
    const { calls, errors } = read(raw);
    expect(calls).toEqual([]);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(/^Couldn't read a tool call/);
  });

  test.each([
    'The <tools> element lists tools.',
    'Use <function_calls> around calls, as in search.',
    '<b>search</b>',
    '{"status":"shipped"}',
    '[1, 2]',
    'The tool is called "search".',
  ])('are not looked for in an answer: %s', (raw) => {
    expect(read(raw)).toMatchObject({ text: raw, calls: [], errors: [] });
  });

  test('a list of tools that is written back calls none', () => {
    const definition =
      '{"name":"search","description":"finds","parameters":{"type":"object","properties":{}}}';
    expect(read(`<tools>${definition}</tools>`).calls).toEqual([]);
    expect(read(`<tool_call>${definition}</tool_call>`).calls).toEqual([]);
  });
});

test.each([undefined, null, 42, {}])('%s is an empty reply', (raw) => {
  expect(parseToolCalls(raw as never, names)).toEqual(parseToolCalls('', names));
});

test('the documented shapes are types', () => {
  const call: ParsedCall = { name: 'search', arguments: {} };
  const result: ParseResult = { text: '', calls: [call], errors: [] };
  expect(result.calls).toEqual([call]);
});
