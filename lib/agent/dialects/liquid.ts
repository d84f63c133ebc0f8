import { toolJson } from '../../tools/render/listing';
import type { JsonValue } from '../../tools/tool';
import { callsConstraint, type Dialect, plainAnswer } from './dialect';

/** LFM2 and LFM2.5: calls as Python. */
export const liquid: Dialect = {
  id: 'liquid',
  listing: 'json',
  instructions: [
    'To call a tool, reply with:',
    '<|tool_call_start|>[TOOL(ARGUMENT="VALUE")]<|tool_call_end|>',
    'To answer, reply with plain text.',
  ].join('\n'),
  tools: (tools) => `List of tools: [${tools.map(toolJson).join(', ')}]`,
  calls: (calls) => {
    const written = calls.map((call) => {
      const values = Object.entries(call.arguments).map(([k, value]) => `${k}=${python(value)}`);
      return `${call.name}(${values.join(', ')})`;
    });
    return `<|tool_call_start|>[${written.join(', ')}]<|tool_call_end|>`;
  },
  answer: plainAnswer,
  result: (_name, content) => `<|tool_response_start|>${content}<|tool_response_end|>`,
  constraint: callsConstraint('liquid'),
};

function python(value: JsonValue): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([k, v]) => `${JSON.stringify(k)}: ${python(v)}`);
  return `{${members.join(', ')}}`;
}
