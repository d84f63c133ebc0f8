import { renderTools } from '../../tools/render/listing';
import type { HeldTool, JsonObject } from '../../tools/tool';
import type { Dialect } from './dialect';

/** The whole reply is one JSON object: for engines that can enforce a schema, such as the Prompt API. */
export const json: Dialect = {
  id: 'json',
  listing: 'typescript',
  instructions: [
    'Reply with one JSON object and nothing else.',
    'To call a tool: {"type":"tool_call","name":"TOOL","arguments":{"ARGUMENT":"VALUE"}}',
    'To answer: {"type":"message","text":"ANSWER"}',
  ].join('\n'),
  tools: (tools) => renderTools('typescript', tools),
  calls: (calls) =>
    calls
      .map((call) =>
        JSON.stringify({ type: 'tool_call', name: call.name, arguments: call.arguments }),
      )
      .join('\n'),
  answer: (text) => JSON.stringify({ type: 'message', text }),
  result: (name, content) => `Result of ${name}:\n${content}`,
  constraint: (tools: readonly HeldTool[]) => {
    const message: JsonObject = {
      type: 'object',
      properties: { type: { const: 'message' }, text: { type: 'string' } },
      required: ['type', 'text'],
      additionalProperties: false,
    };
    const calls = tools.map(
      (tool): JsonObject => ({
        type: 'object',
        properties: {
          type: { const: 'tool_call' },
          name: { const: tool.name },
          arguments: { type: 'object', ...(tool.strict ?? tool.parameters) },
        },
        required: ['type', 'name', 'arguments'],
        additionalProperties: false,
      }),
    );
    return { kind: 'json', schema: tools.length === 0 ? message : { anyOf: [...calls, message] } };
  },
};
