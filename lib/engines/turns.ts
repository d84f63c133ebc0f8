import type { ChatMessage, DialectId, PromptCall } from '../agent/engine';

/** A prompt as chat templates know it: after `system`, user and assistant take turns. */
export interface Turn {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/**
 * Maps a prompt to plain turns in the model's own markup. Results become user turns: every template
 * has those, while the role `tool` raises an error in many; and neighbours of one role are joined, as
 * several templates refuse two in a row.
 */
export function toTurns(system: string, messages: ChatMessage[], dialect: DialectId): Turn[] {
  const turns: Turn[] = system === '' ? [] : [{ role: 'system', content: system }];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = textOf(message, dialect);
    const last = turns.at(-1);
    if (last?.role === role) last.content += `\n${content}`;
    else turns.push({ role, content });
  }
  return turns;
}

function textOf(message: ChatMessage, dialect: DialectId): string {
  switch (message.role) {
    case 'user':
      return message.content;
    case 'tool':
      return resultText(dialect, message.name, message.content);
    case 'assistant': {
      const calls = message.calls ?? [];
      // A reply kept word for word has its calls in it already; writing them twice would also lose the cache.
      if (calls.length === 0 || hasCalls(dialect, message.content)) return message.content;
      return [message.content, callsText(dialect, calls)].filter((text) => text !== '').join('\n');
    }
  }
}

const OPENERS: Readonly<Record<DialectId, string>> = {
  json: '"tool_call"',
  hermes: '<tool_call>',
  'p-format': '[0|',
  liquid: '<|tool_call_start|>',
  llama: '"parameters"',
  gemma: '<|tool_call>',
  functiongemma: '<start_function_call>',
  'qwen-xml': '<function=',
  mistral: '[TOOL_CALLS]',
  granite: '<|tool_call|>',
  phi: '<|tool_call|>',
  deepseek: '<｜tool▁call▁begin｜>',
};

function hasCalls(dialect: DialectId, content: string): boolean {
  return content.includes(OPENERS[dialect]);
}

const json = JSON.stringify;

/** The calls as the model itself would have written them. Formats: see docs/engines.md. */
function callsText(dialect: DialectId, calls: PromptCall[]): string {
  const nameAnd = (key: string) =>
    calls.map((call) => json({ name: call.name, [key]: call.arguments }));
  switch (dialect) {
    case 'json':
      return calls
        .map((call) => json({ type: 'tool_call', tool: call.name, arguments: call.arguments }))
        .join('\n');
    case 'liquid':
      return `<|tool_call_start|>[${calls
        .map(
          (call) =>
            `${call.name}(${Object.entries(call.arguments)
              .map(([name, value]) => `${name}=${python(value)}`)
              .join(', ')})`,
        )
        .join(', ')}]<|tool_call_end|>`;
    case 'llama':
      return nameAnd('parameters').join('; ');
    case 'qwen-xml':
      return calls
        .map(
          (call) =>
            `<tool_call>\n<function=${call.name}>\n${Object.entries(call.arguments)
              .map(
                ([name, value]) =>
                  `<parameter=${name}>\n${typeof value === 'string' ? value : json(value)}\n</parameter>\n`,
              )
              .join('')}</function>\n</tool_call>`,
        )
        .join('\n');
    case 'mistral':
      return `[TOOL_CALLS][${nameAnd('arguments').join(', ')}]`;
    case 'granite':
      return `<|tool_call|>[${nameAnd('arguments').join(', ')}]`;
    case 'phi':
      return nameAnd('arguments')
        .map((call) => `<|tool_call|>${call}<|/tool_call|>`)
        .join('');
    case 'deepseek':
      return `<｜tool▁calls▁begin｜>${calls
        .map(
          (call) =>
            `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${json(call.arguments)}<｜tool▁call▁end｜>`,
        )
        .join('')}<｜tool▁calls▁end｜>`;
    case 'functiongemma':
      return calls
        .map(
          (call) =>
            `<start_function_call>call:${call.name}{${fields(call, '<escape>')}}<end_function_call>`,
        )
        .join('');
    case 'gemma':
      return calls
        .map((call) => `<|tool_call>call:${call.name}{${fields(call, '<|"|>')}}<tool_call|>`)
        .join('');
    case 'p-format':
      return calls
        .map(
          (call) =>
            `${call.name}[${Object.values(call.arguments)
              .map((value, i) => `${i}|${typeof value === 'string' ? value : json(value)}`)
              .join('|')}]`,
        )
        .join('\n');
    case 'hermes':
      return nameAnd('arguments')
        .map((call) => `<tool_call>\n${call}\n</tool_call>`)
        .join('\n');
  }
}

function fields(call: PromptCall, quote: string): string {
  return Object.entries(call.arguments)
    .map(
      ([name, value]) =>
        `${name}:${typeof value === 'string' ? `${quote}${value}${quote}` : json(value)}`,
    )
    .join(',');
}

/** A JSON value as Python would write it. */
function python(value: unknown): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([name, member]) => `${json(name)}: ${python(member)}`)
      .join(', ')}}`;
  }
  return json(value);
}

function resultText(dialect: DialectId, name: string, content: string): string {
  switch (dialect) {
    case 'liquid':
      return `<|tool_response_start|>${content}<|tool_response_end|>`;
    case 'gemma':
      return `<|tool_response>response:${name}{value:<|"|>${content}<|"|>}<tool_response|>`;
    case 'functiongemma':
      return `<start_function_response>response:${name}{value:<escape>${content}<escape>}<end_function_response>`;
    case 'mistral':
      return `[TOOL_RESULTS]${json({ content, name })}[/TOOL_RESULTS]`;
    case 'phi':
      return `<|tool_response|>${content}`;
    case 'deepseek':
      return `<｜tool▁output▁begin｜>${content}<｜tool▁output▁end｜>`;
    case 'json':
    case 'p-format':
    case 'llama':
    case 'granite':
      return `Result of ${name}:\n${content}`;
    case 'hermes':
    case 'qwen-xml':
      return `<tool_response>\n${content}\n</tool_response>`;
  }
}
