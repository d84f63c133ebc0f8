import { expect, it } from 'vitest';
import { saidRepair } from '../../../lib/agent/mended';
import { parseToolCalls } from '../../../lib/calls/parse';
import type { ParseOptions } from '../../../lib/calls/result';
import { textOf, wordsOf } from '../../../lib/said/said';
import { WORDS } from '../../../lib/said/words';

const SLOTS = new Map([['search', [{ name: 'q', type: 'string' }]]]);
const tool = (text: string) => `<tool_call>${text}</tool_call>`;

/** A reply for every repair that the parser makes. */
const BROKEN: [code: string, reply: string, options?: ParseOptions][] = [
  ['mended-cut-short', '[search(q="red"', { dialect: 'llama' }],
  ['mended-unclosed', '<tool_call>{"name":"search","arguments":{"q":"red"}}'],
  ['mended-parameter', '<function=search><parameter=q>red</function>', { dialect: 'qwen-xml' }],
  ['mended-prefix', '```tool_code\ndefault_api.search(q="red")\n```', { dialect: 'gemma' }],
  ['mended-position', '[search("red")]', { dialect: 'llama' }],
  ['mended-only', '[search({"q": "red"})]', { dialect: 'llama' }],
  ['mended-brace', tool('"name":"search","arguments":{"q":"red"}}')],
  ['mended-doubled-braces', tool('{{"name":"search","arguments":{"q":"red"}}}')],
  ['mended-noise', tool('{"name":"search","arguments":{"q":"red"}} is what I call')],
  ['mended-flat', tool('{"name":"search","q":"red"}')],
  ['mended-key', tool('{"search":{"q":"red"}}')],
  ['mended-json', tool('{"name":"search","arguments":{"q":"red" "n":1}}')],
  ['mended-json-cut', '<tool_call>{"name":"search","arguments":{"q":"red"}'],
  [
    'mended-doubled',
    tool('{"name":"search","arguments":{"name":"search","arguments":{"q":"red"}}}'),
  ],
  ['mended-quotes', tool("{'name':'search','arguments':{'q':'red'}}")],
  ['mended-comma', tool('{"name":"search","arguments":{"q":"red",}}')],
  ['mended-python', tool('{"name":"search","arguments":{"q":"red","all":True}}')],
  ['mended-keys', tool('{name:"search",arguments:{q:"red"}}')],
];

it.each(BROKEN)('%s can be said in other languages', (code, reply, options) => {
  const [call] = parseToolCalls(reply, new Set(['search']), { slots: SLOTS, ...options }).calls;
  const said = (call?.repairs ?? []).map((repair) => wordsOf(saidRepair(repair)));
  expect(said.map((words) => words.said?.code)).toContain(code);
  expect(said.map(textOf)).toEqual(call?.repairs);
  expect(said.every((words) => words.said !== undefined)).toBe(true);
});

it('knows every repair of the table', () => {
  const codes = Object.keys(WORDS).filter((code) => code.startsWith('mended-'));
  expect(BROKEN.map(([code]) => code).sort()).toEqual(codes.sort());
});

it('leaves words alone that are none of the parser’s', () => {
  expect(saidRepair('swapped two calls')).toBe('swapped two calls');
});
