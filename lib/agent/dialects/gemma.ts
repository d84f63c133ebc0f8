import { safeLine } from '../../tools/text/untrusted';
import type { CompactTool, JsonValue } from '../../tools/tool';
import type { PromptCall } from '../engine';
import { callsConstraint, type Dialect, plainAnswer } from './dialect';

/** Gemma 4 and FunctionGemma: one grammar, `call:name{key:value}`, with marks and quotes of their own. */
interface Marks {
  quote: string;
  declaration: [string, string];
  call: [string, string];
  response: [string, string];
}

const GEMMA: Marks = {
  quote: '<|"|>',
  declaration: ['<|tool>', '<tool|>'],
  call: ['<|tool_call>', '<tool_call|>'],
  response: ['<|tool_response>', '<tool_response|>'],
};
const FUNCTION_GEMMA: Marks = {
  quote: '<escape>',
  declaration: ['<start_function_declaration>', '<end_function_declaration>'],
  call: ['<start_function_call>', '<end_function_call>'],
  response: ['<start_function_response>', '<end_function_response>'],
};

export const gemma = dialect('gemma', GEMMA, 'To call a tool, reply with:');
export const functiongemma = dialect(
  'functiongemma',
  FUNCTION_GEMMA,
  'You are a model that can do function calling with the following functions. To call one, reply with:',
);

function dialect(id: 'gemma' | 'functiongemma', marks: Marks, lead: string): Dialect {
  const { quote, declaration, call, response } = marks;
  const text = (value: string) => `${quote}${value}${quote}`;
  return {
    id,
    listing: 'json',
    instructions: [
      lead,
      `${call[0]}call:TOOL{ARGUMENT:${text('VALUE')}}${call[1]}`,
      'To answer, reply with plain text.',
    ].join('\n'),
    tools: (tools) =>
      tools.map((tool) => `${declaration[0]}${declared(tool, quote)}${declaration[1]}`).join('\n'),
    calls: (calls) => calls.map((one) => `${call[0]}${written(one, quote)}${call[1]}`).join(''),
    answer: plainAnswer,
    result: (name, content) =>
      `${response[0]}response:${name}{value:${text(content)}}${response[1]}`,
    constraint: callsConstraint(id),
  };
}

function written(call: PromptCall, quote: string): string {
  return `call:${call.name}${value(call.arguments, quote)}`;
}

function declared(tool: CompactTool, quote: string): string {
  const parts = { description: safeLine(tool.description), parameters: upper(tool.parameters) };
  return `declaration:${tool.name}${value(parts, quote)}`;
}

/** These models were shown types in capitals. */
function upper(schema: JsonValue, isSchema = true): JsonValue {
  if (Array.isArray(schema)) return schema.map((item) => upper(item, false));
  if (typeof schema === 'string') return safeLine(schema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, inner]): [string, JsonValue] => {
    if (!isSchema) return [safeLine(key), upper(inner)];
    if (key === 'type' && typeof inner === 'string') return [key, inner.toUpperCase()];
    return [key, upper(inner, key !== 'properties')];
  });
  return Object.fromEntries(entries);
}

function value(of: JsonValue, quote: string): string {
  if (typeof of === 'string') return `${quote}${of}${quote}`;
  if (Array.isArray(of)) return `[${of.map((item) => value(item, quote)).join(',')}]`;
  if (typeof of !== 'object' || of === null) return JSON.stringify(of);
  const members = Object.entries(of).map(([key, inner]) => `${key}:${value(inner, quote)}`);
  return `{${members.join(',')}}`;
}
