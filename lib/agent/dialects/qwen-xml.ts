import { renderTools } from '../../tools/render/listing';
import { callsConstraint, type Dialect, plainAnswer } from './dialect';

/** Qwen3-Coder, Qwen3.5 and kin: every argument between marks, its value as plain text. */
export const qwenXml: Dialect = {
  id: 'qwen-xml',
  listing: 'json',
  instructions: [
    'To call a tool, reply with:',
    '<tool_call>',
    '<function=TOOL>',
    '<parameter=ARGUMENT>',
    'VALUE',
    '</parameter>',
    '</function>',
    '</tool_call>',
    'To answer, reply with plain text.',
  ].join('\n'),
  tools: (tools) => renderTools('json', tools),
  calls: (calls) =>
    calls
      .map((call) => {
        const parameters = Object.entries(call.arguments).map(([name, value]) => {
          const text = typeof value === 'string' ? value : JSON.stringify(value);
          return `<parameter=${name}>\n${text}\n</parameter>\n`;
        });
        return `<tool_call>\n<function=${call.name}>\n${parameters.join('')}</function>\n</tool_call>`;
      })
      .join('\n'),
  answer: plainAnswer,
  result: (_name, content) => `<tool_response>\n${content}\n</tool_response>`,
  constraint: callsConstraint('qwen-xml'),
};
