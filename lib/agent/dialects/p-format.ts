import { renderTools } from '../../tools/render/listing';
import { slotsOf } from '../../tools/render/p-format';
import { callsConstraint, type Dialect, plainAnswer } from './dialect';

/** Arguments by number: the shortest listing and the shortest calls. */
export const pFormat: Dialect = {
  id: 'p-format',
  listing: 'p-format',
  instructions: [
    'To call a tool, reply with its name and, in brackets, number and value of each argument:',
    'TOOL[0|VALUE|1|VALUE]',
    'Leave out what is not needed. To answer, reply with plain text.',
  ].join('\n'),
  tools: (tools) => renderTools('p-format', tools),
  calls: (calls, tools) =>
    calls
      .map((call) => {
        const tool = tools.find((one) => one.name === call.name);
        const names = tool ? slotsOf(tool.parameters).map((slot) => slot.name) : [];
        const slots = Object.entries(call.arguments).map(([name, value], at) => {
          const number = names.indexOf(name);
          return `${number < 0 ? at : number}|${escaped(value)}`;
        });
        return `${call.name}[${slots.join('|')}]`;
      })
      .join('\n'),
  answer: plainAnswer,
  result: (name, content) => `Result of ${name}:\n${content}`,
  constraint: callsConstraint('p-format'),
};

function escaped(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/[\\|\]]/g, '\\$&');
}
