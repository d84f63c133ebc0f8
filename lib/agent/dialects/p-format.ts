import { renderTools } from '../../tools/render/listing';
import { callsConstraint, type Dialect } from './dialect';

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
  calls: (calls) =>
    calls
      .map((call) => {
        const slots = Object.entries(call.arguments).map(
          ([, value], at) => `${at}|${escaped(value)}`,
        );
        return `${call.name}[${slots.join('|')}]`;
      })
      .join('\n'),
  result: (name, content) => `Result of ${name}:\n${content}`,
  constraint: callsConstraint('p-format'),
};

function escaped(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/[\\|\]]/g, '\\$&');
}
