import { renderTools, toolJson } from '../../tools/render/listing';
import { callObjects, callsConstraint, type Dialect, plainAnswer } from './dialect';

/** Dialects that write a call as JSON between marks of their own. */

export const hermes: Dialect = {
  id: 'hermes',
  listing: 'json',
  instructions: [
    'To call a tool, reply with:',
    '<tool_call>',
    '{"name": "TOOL", "arguments": {"ARGUMENT": "VALUE"}}',
    '</tool_call>',
    'To answer, reply with plain text.',
  ].join('\n'),
  tools: (tools) => renderTools('json', tools),
  calls: (calls) =>
    callObjects(calls, 'arguments')
      .map((call) => `<tool_call>\n${call}\n</tool_call>`)
      .join('\n'),
  answer: plainAnswer,
  result: (_name, content) => `<tool_response>\n${content}\n</tool_response>`,
  constraint: callsConstraint('hermes'),
};

export const llama: Dialect = {
  id: 'llama',
  listing: 'json',
  instructions: [
    'To call a tool, reply with this JSON and nothing else:',
    '{"name": "TOOL", "parameters": {"ARGUMENT": "VALUE"}}',
    'To answer, reply with plain text.',
  ].join('\n'),
  tools: (tools) => tools.map(toolJson).join('\n'),
  calls: (calls) => callObjects(calls, 'parameters').join('; '),
  answer: plainAnswer,
  result: (name, content) => `Result of ${name}:\n${content}`,
  constraint: callsConstraint('llama'),
};

export const mistral: Dialect = {
  id: 'mistral',
  listing: 'json',
  instructions: [
    'To call a tool, reply with:',
    '[TOOL_CALLS][{"name": "TOOL", "arguments": {"ARGUMENT": "VALUE"}}]',
    'To answer, reply with plain text.',
  ].join('\n'),
  tools: (tools) => `[AVAILABLE_TOOLS][${tools.map(toolJson).join(', ')}][/AVAILABLE_TOOLS]`,
  calls: (calls) => `[TOOL_CALLS][${callObjects(calls, 'arguments').join(', ')}]`,
  answer: plainAnswer,
  result: (name, content) => `[TOOL_RESULTS]${JSON.stringify({ content, name })}[/TOOL_RESULTS]`,
  constraint: callsConstraint('mistral'),
};

export const granite: Dialect = {
  id: 'granite',
  listing: 'json',
  instructions: [
    'To call a tool, reply with:',
    '<|tool_call|>[{"name": "TOOL", "arguments": {"ARGUMENT": "VALUE"}}]',
    'To answer, reply with plain text.',
  ].join('\n'),
  tools: (tools) => renderTools('json', tools),
  calls: (calls) => `<|tool_call|>[${callObjects(calls, 'arguments').join(', ')}]`,
  answer: plainAnswer,
  result: (name, content) => `Result of ${name}:\n${content}`,
  constraint: callsConstraint('granite'),
};

export const phi: Dialect = {
  id: 'phi',
  listing: 'json',
  instructions: [
    'To call a tool, reply with:',
    '<|tool_call|>{"name": "TOOL", "arguments": {"ARGUMENT": "VALUE"}}<|/tool_call|>',
    'To answer, reply with plain text.',
  ].join('\n'),
  tools: (tools) => `<|tool|>[${tools.map(toolJson).join(', ')}]<|/tool|>`,
  calls: (calls) =>
    callObjects(calls, 'arguments')
      .map((call) => `<|tool_call|>${call}<|/tool_call|>`)
      .join(''),
  answer: plainAnswer,
  result: (_name, content) => `<|tool_response|>${content}`,
  constraint: callsConstraint('phi'),
};

export const deepseek: Dialect = {
  id: 'deepseek',
  listing: 'json',
  instructions: [
    'To call a tool, reply with:',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>TOOL<｜tool▁sep｜>{"ARGUMENT": "VALUE"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    'To answer, reply with plain text.',
  ].join('\n'),
  tools: (tools) => renderTools('json', tools),
  calls: (calls) =>
    `<｜tool▁calls▁begin｜>${calls
      .map(
        (call) =>
          `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${JSON.stringify(call.arguments)}<｜tool▁call▁end｜>`,
      )
      .join('')}<｜tool▁calls▁end｜>`,
  answer: plainAnswer,
  result: (_name, content) => `<｜tool▁output▁begin｜>${content}<｜tool▁output▁end｜>`,
  constraint: callsConstraint('deepseek'),
};
