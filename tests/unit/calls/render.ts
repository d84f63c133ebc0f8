import fc from 'fast-check';
import type { DialectId } from '../../../lib/calls/dialect-id';
import type { Slot } from '../../../lib/calls/result';

/** Writes calls the way models of each dialect do, for reading back. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Args = { [key: string]: Json };
interface Call {
  name: string;
  arguments: Args;
}
export interface Rendered {
  raw: string;
  text: string;
  calls: Call[];
}
interface Renderer {
  dialect: DialectId;
  render(calls: readonly Call[]): string;
  /** Prose may stand around it. */
  marked: boolean;
  one?: boolean;
  args?: fc.Arbitrary<Args>;
}

export const names: ReadonlySet<string> = new Set([
  'search_products',
  'addToCart',
  'shop.open-page',
  '2nd_step',
]);

const KEYS = ['q', 'max', 'on', 'list', 'place', '__proto__', 'constructor', 'name', 'größe'];
/** Pieces that confuse a careless reader, when they stand in a string. */
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '"',
  "'",
  '\\',
  '`',
  '```',
  '\n',
  ',',
  ':',
  '|',
  '=',
  '<',
  '>',
  'a',
  'Zoë ',
  '日本',
  '🙂',
  "it's",
  'True',
  'null',
  '12',
  '</tool_call>',
  '<tool_call>',
  '<think>',
  '</function',
  '<|tool_call_end|>',
  '\u2028',
  ' ',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 4 })), {
    maxLength: 5,
  })
  .map((pieces) => pieces.join(''));
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((n) => n + 0),
);
const json = (leaf: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      record(tie('value')),
    ),
  })).value;
const record = (value: fc.Arbitrary<Json>): fc.Arbitrary<Args> =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...KEYS), value), { selector: ([k]) => k, maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));

const leaf: fc.Arbitrary<Json> = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const anyArgs = record(json(leaf)).filter((args) => !('arguments' in args));
/** Python leaves arguments out by `None`, so none stands at the top. */
const pythonArgs = anyArgs
  .map((args) =>
    Object.fromEntries(Object.entries(args).filter(([k, v]) => v !== null && /^\w+$/.test(k))),
  )
  .filter((args) => Object.values(args).every((v) => v !== null));
/** Quote tokens cannot be escaped, so no text holds them. */
const gemmaArgs = record(
  json(
    fc.oneof(
      text.filter((t) => !/<\||<escape/.test(t)),
      number.filter((n) => Number.isFinite(n)),
      fc.boolean(),
    ),
  ),
);
/** Raw text: it cannot say its own end tag, nor whether it is text or a number. */
const xmlArgs = record(text.filter((t) => !/^\s|\s$|<|^$/.test(t) && !readsAsJson(t)));
function readsAsJson(t: string): boolean {
  if (['True', 'False', 'None'].includes(t)) return true;
  try {
    return typeof JSON.parse(t) !== 'string';
  } catch {
    return false;
  }
}
const P_SLOTS: Slot[] = [
  { name: 'q', type: 'string' },
  { name: 'max', type: 'integer' },
  { name: 'on', type: 'boolean' },
  { name: 'place', type: 'object' },
];
export const slots: ReadonlyMap<string, Slot[]> = new Map(
  [...names].map((name) => [name, P_SLOTS]),
);
const pArgs: fc.Arbitrary<Args> = fc.record(
  { q: text.filter((t) => t !== ''), max: fc.integer(), on: fc.boolean(), place: record(leaf) },
  { requiredKeys: [] },
);
const typedXml = xmlArgs.map((args) =>
  Object.fromEntries(Object.entries(args).filter(([k]) => !['max', 'on', 'place'].includes(k))),
);

const object = ({ name, arguments: args }: Call, key = 'arguments'): string =>
  JSON.stringify({ name, [key]: args });
const list = (calls: readonly Call[]): string => `[${calls.map((c) => object(c)).join(', ')}]`;
const python = (value: Json): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string')
    return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([k, v]) => `${python(k)}: ${python(v)}`)
    .join(', ')}}`;
};
const pythonCall = ({ name, arguments: args }: Call): string =>
  `${name}(${Object.entries(args)
    .map(([k, v]) => `${k}=${python(v)}`)
    .join(', ')})`;
const braces = (value: Json, quote: string): string => {
  if (typeof value === 'string') return quote + value + quote;
  if (Array.isArray(value)) return `[${value.map((v) => braces(v, quote)).join(',')}]`;
  if (value !== null && typeof value === 'object')
    return `{${Object.entries(value)
      .map(([k, v]) => `${k}:${braces(v, quote)}`)
      .join(',')}}`;
  return JSON.stringify(value);
};
const braceCall = ({ name, arguments: args }: Call, quote: string): string =>
  `call:${name}${braces(args, quote)}`;
const xml = ({ name, arguments: args }: Call): string =>
  `<function=${name}>\n${Object.entries(args)
    .map(([k, v]) => `<parameter=${k}>\n${v}\n</parameter>\n`)
    .join('')}</function>`;
const pFormat = ({ name, arguments: args }: Call): string => {
  const tokens = P_SLOTS.flatMap((slot, i) => {
    const value = args[slot.name];
    if (value === undefined) return [];
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    return [String(i), shown.replace(/[\\|\]]/g, '\\$&')];
  });
  return `${name}[${tokens.join('|')}]`;
};
const each =
  (one: (call: Call) => string, between = '\n') =>
  (calls: readonly Call[]) =>
    calls.map(one).join(between);

export const RENDERERS: Record<string, Renderer> = {
  hermes: {
    dialect: 'hermes',
    marked: true,
    render: each((c) => `<tool_call>\n${object(c)}\n</tool_call>`),
  },
  'liquid, Python': {
    dialect: 'liquid',
    marked: true,
    args: pythonArgs,
    render: (calls) => `<|tool_call_start|>[${calls.map(pythonCall).join(', ')}]<|tool_call_end|>`,
  },
  'liquid, JSON': {
    dialect: 'liquid',
    marked: true,
    render: (calls) => `<|tool_call_start|>${list(calls)}<|tool_call_end|>`,
  },
  'p-format in tags': {
    dialect: 'p-format',
    marked: true,
    args: pArgs,
    render: each((c) => `<tool_call>${pFormat(c)}</tool_call>`),
  },
  'p-format alone': { dialect: 'p-format', marked: false, args: pArgs, render: each(pFormat) },
  'json, whole reply': {
    dialect: 'json',
    marked: false,
    one: true,
    render: each((c) => JSON.stringify({ type: 'tool_call', ...c })),
  },
  'json, list': { dialect: 'json', marked: false, render: list },
  'json, fenced': {
    dialect: 'json',
    marked: false,
    render: each((c) => `\`\`\`json\n${JSON.stringify(c, null, 2)}\n\`\`\``),
  },
  'json, OpenAI': {
    dialect: 'json',
    marked: false,
    render: (calls) =>
      JSON.stringify({
        tool_calls: calls.map((c) => ({
          id: '1',
          type: 'function',
          function: { name: c.name, arguments: JSON.stringify(c.arguments) },
        })),
      }),
  },
  'llama, bare': {
    dialect: 'llama',
    marked: false,
    render: each((c) => object(c, 'parameters'), '; '),
  },
  'llama, python_tag': {
    dialect: 'llama',
    marked: false,
    render: (calls) =>
      `<|python_tag|>${calls.map((c) => object(c, 'parameters')).join('; ')}<|eom_id|>`,
  },
  'llama, built-in': {
    dialect: 'llama',
    marked: false,
    one: true,
    args: pythonArgs,
    render: (calls) => `<|python_tag|>${calls.map(pythonCall).join('')}`,
  },
  gemma: {
    dialect: 'gemma',
    marked: true,
    args: gemmaArgs,
    render: each((c) => `<|tool_call>${braceCall(c, '<|"|>')}<tool_call|>`),
  },
  functiongemma: {
    dialect: 'functiongemma',
    marked: true,
    args: gemmaArgs,
    render: each((c) => `<start_function_call>${braceCall(c, '<escape>')}<end_function_call>`, ''),
  },
  'gemma, tool_code': {
    dialect: 'gemma',
    marked: true,
    one: true,
    args: pythonArgs,
    render: each((c) => `\`\`\`tool_code\n${pythonCall(c)}\n\`\`\``),
  },
  'qwen-xml': {
    dialect: 'qwen-xml',
    marked: true,
    args: typedXml,
    render: each((c) => `<tool_call>\n${xml(c)}\n</tool_call>`),
  },
  'qwen-xml, opener dropped': {
    dialect: 'qwen-xml',
    marked: true,
    args: typedXml,
    render: each((c) => `${xml(c)}\n</tool_call>`),
  },
  'mistral, list': {
    dialect: 'mistral',
    marked: true,
    render: (calls) => `[TOOL_CALLS]${list(calls)}`,
  },
  'mistral, names': {
    dialect: 'mistral',
    marked: true,
    render: each(
      (c) => `[TOOL_CALLS]${c.name}[CALL_ID]abc123XYZ[ARGS]${JSON.stringify(c.arguments)}`,
      '',
    ),
  },
  'granite 3': {
    dialect: 'granite',
    marked: false,
    render: (calls) => `<|tool_call|>${list(calls)}`,
  },
  phi: {
    dialect: 'phi',
    marked: true,
    render: each((c) => `<|tool_call|>${object(c)}<|/tool_call|>`),
  },
  'phi, functools': { dialect: 'phi', marked: false, render: (calls) => `functools${list(calls)}` },
  'deepseek V3': {
    dialect: 'deepseek',
    marked: true,
    render: (calls) =>
      `<｜tool▁calls▁begin｜>${calls.map((c) => `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${c.name}\n\`\`\`json\n${JSON.stringify(c.arguments)}\n\`\`\`<｜tool▁call▁end｜>`).join('\n')}<｜tool▁calls▁end｜>`,
  },
  'deepseek V3.1': {
    dialect: 'deepseek',
    marked: true,
    render: each(
      (c) =>
        `<｜tool▁call▁begin｜>${c.name}<｜tool▁sep｜>${JSON.stringify(c.arguments)}<｜tool▁call▁end｜>`,
      '',
    ),
  },
};

const prose = fc
  .array(
    fc.constantFrom(
      'Sure',
      ' a < b',
      ' [1]',
      " it's",
      ' "red"',
      ' {x}',
      '\nNext:',
      ' `code`',
      ' 🙂',
      '. ',
    ),
    { maxLength: 4 },
  )
  .map((pieces) => pieces.join(''));

export function rendered(renderer: Renderer): fc.Arbitrary<Rendered> {
  const call: fc.Arbitrary<Call> = fc.record({
    name: fc.constantFrom(...names),
    arguments: renderer.args ?? anyArgs,
  });
  const calls = fc.array(call, { minLength: 1, maxLength: renderer.one ? 1 : 3 });
  return fc.tuple(prose, calls, prose).map(([before, made, after]) => {
    const markup = renderer.render(made);
    if (!renderer.marked) return { raw: markup, text: '', calls: made };
    const between = markup.includes('```') ? '\n' : '';
    return {
      raw: `${before}${between}${markup}${between}${after}`,
      text: `${before}${after}`,
      calls: made,
    };
  });
}
