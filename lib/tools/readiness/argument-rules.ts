import { flattenSchema } from '../schema/flatten';
import { isObject } from '../schema/walk';
import { splitWords } from '../text/words';
import type { ToolDescriptor } from '../tool';
import { type Argument, argumentsOf, hasChoices } from './arguments';
import { type Finding, head } from './finding';

/** More than a small model keeps apart; the tools of public sites have 3.1 on average. */
const MANY_ARGUMENTS = 8;

export function argumentFindings(tool: ToolDescriptor, all: readonly ToolDescriptor[]): Finding[] {
  const args = argumentsOf(tool);
  return [
    ...manyArguments(tool, args),
    ...nested(tool, args),
    ...args.flatMap((argument) => [
      ...undescribed(tool, argument),
      ...missingEnum(tool, argument),
      ...missingUnit(tool, argument),
      ...missingLookup(tool, argument, all),
      ...overAsking(tool, argument),
    ]),
  ];
}

function manyArguments(tool: ToolDescriptor, args: readonly Argument[]): Finding[] {
  if (args.length <= MANY_ARGUMENTS) return [];
  const optional = args.filter((argument) => !argument.required).map(({ name }) => name);
  return [
    {
      rule: 'many-arguments',
      severity: 'warning',
      tool: tool.name,
      values: [String(args.length)],
      rewrite: optional.slice(0, 20).join(', '),
    },
  ];
}

function nested(tool: ToolDescriptor, args: readonly Argument[]): Finding[] {
  const deep = args.filter(({ schema }) => holdsObject(schema));
  if (deep.length === 0 || !tool.inputSchema) return [];
  return [
    {
      rule: 'nested-schema',
      severity: 'warning',
      tool: tool.name,
      argument: deep[0]?.name,
      values: [deep.map(({ name }) => name).join(', ')],
      rewrite: flatRewrite(tool.inputSchema),
    },
  ];
}

function holdsObject(schema: Argument['schema']): boolean {
  const items = schema['items'];
  return isObject(schema['properties']) || (isObject(items) && isObject(items['properties']));
}

function flatRewrite(schema: Argument['schema']): string {
  try {
    const flat = flattenSchema(schema).schema;
    return JSON.stringify(underscored(flat), null, 2).slice(0, 8_000);
  } catch {
    return '';
  }
}

/** Argument names with dots are refused by some hosts, so the advice joins them with underscores. */
function underscored(schema: Argument['schema']): Argument['schema'] {
  const properties = schema['properties'];
  const required = schema['required'];
  const joined = (name: string) => name.replaceAll('.', '_');
  return {
    ...schema,
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, value]) => [joined(name), value]),
          ),
        }
      : {}),
    ...(Array.isArray(required)
      ? { required: required.map((name) => (typeof name === 'string' ? joined(name) : name)) }
      : {}),
  };
}

function undescribed(tool: ToolDescriptor, argument: Argument): Finding[] {
  const clear = argument.description.trim() !== '' || hasChoices(argument.schema);
  if (clear && (argument.types.length > 0 || hasChoices(argument.schema))) return [];
  const type = argument.types[0] ?? 'string';
  return [
    {
      rule: 'undescribed-argument',
      severity: argument.required ? 'warning' : 'hint',
      tool: tool.name,
      argument: argument.name,
      values: [argument.name],
      rewrite: JSON.stringify({
        [argument.name]: { type, description: `${sentence(argument.name)}: …` },
      }),
    },
  ];
}

/** `one of a, b or c`, `"a" | "b"`, `(a/b/c)`: alternatives written as prose instead of `enum`. */
const ALTERNATIVES = [
  /(?:one of|either|allowed values?|possible values?|valid values?|must be)\s*(?::\s*)?([^.;()\n]{3,200})/i,
  /\(([^()\n]{3,200})\)/,
  /((?:["'`][\w -]{1,40}["'`]\s*(?:\||,|\/|or)\s*)+["'`][\w -]{1,40}["'`])/,
];

function missingEnum(tool: ToolDescriptor, argument: Argument): Finding[] {
  const textual = argument.types.length === 0 || argument.types.includes('string');
  if (!textual || hasChoices(argument.schema)) return [];
  const choices = alternativesIn(head(argument.description));
  if (choices.length < 2) return [];
  return [
    {
      rule: 'missing-enum',
      severity: 'warning',
      tool: tool.name,
      argument: argument.name,
      values: [argument.name, choices.join(', ')],
      rewrite: JSON.stringify({ [argument.name]: { type: 'string', enum: choices } }),
    },
  ];
}

function alternativesIn(description: string): string[] {
  for (const pattern of ALTERNATIVES) {
    const found = pattern.exec(description)?.[1];
    if (!found || /\b(?:e\.?g|for example|such as|like|etc)\b|…|\.\.\./i.test(found)) continue;
    const parts = found
      .split(/,\s*or\s|,\s*and\s|,|\||\/|\sor\s/)
      .map((part) => part.trim().replace(/^["'`]|["'`]$/g, ''));
    if (parts.length >= 2 && parts.every((part) => /^[\w-]{1,40}$/.test(part))) {
      return [...new Set(parts)];
    }
  }
  return [];
}

/** Quantities people measure in more than one unit, with the unit to propose. */
const QUANTITIES: Record<string, string> = {
  amount: 'usd',
  area: 'm2',
  budget: 'usd',
  depth: 'cm',
  distance: 'km',
  duration: 'minutes',
  height: 'cm',
  length: 'cm',
  price: 'usd',
  radius: 'km',
  size: 'cm',
  speed: 'kmh',
  temperature: 'celsius',
  timeout: 'seconds',
  volume: 'litres',
  weight: 'kg',
  width: 'cm',
};
const UNIT =
  /\b(?:usd|eur|gbp|jpy|dollars?|euros?|pounds?|yen|cents?|currency|percent|%|mm|cm|m|km|kmh|mph|miles?|met(?:er|re)s?|kilomet(?:er|re)s?|inch(?:es)?|feet|ft|yards?|g|kg|grams?|kilograms?|lbs?|oz|ounces?|ms|s|sec|secs|seconds?|min|mins|minutes?|h|hours?|days?|weeks?|months?|years?|nights?|celsius|fahrenheit|kelvin|°[cf]|px|pixels?|bytes?|[kmg]b|l|ml|lit(?:er|re)s?|m2|sqm|pieces?|items?|people|persons?|count|number of)\b|[$€£¥%]/i;

function missingUnit(tool: ToolDescriptor, argument: Argument): Finding[] {
  const numeric = argument.types.some((type) => type === 'number' || type === 'integer');
  if (!numeric) return [];
  const words = splitWords(argument.name);
  const quantity = words.find((word) => Object.hasOwn(QUANTITIES, word));
  const said = `${words.join(' ')} ${head(argument.description)}`;
  if (quantity === undefined || UNIT.test(said)) return [];
  const unit = QUANTITIES[quantity] ?? '';
  return [
    {
      rule: 'missing-unit',
      severity: 'warning',
      tool: tool.name,
      argument: argument.name,
      values: [argument.name],
      rewrite: JSON.stringify({
        [`${words.join('_')}_${unit}`]: {
          type: argument.types[0] ?? 'number',
          description: `${sentence(argument.name)} in ${unit}.`,
        },
      }),
    },
  ];
}

/** Names of values that stand in no sentence a user would say. */
const OPAQUE = new Set(['id', 'ids', 'uuid', 'guid', 'sku', 'key', 'token', 'slug', 'hash', 'ref']);
const FINDERS = new Set(['search', 'find', 'list', 'get', 'lookup', 'look', 'query', 'browse']);

function missingLookup(
  tool: ToolDescriptor,
  argument: Argument,
  all: readonly ToolDescriptor[],
): Finding[] {
  const words = splitWords(argument.name);
  const last = words.at(-1) ?? '';
  if (!argument.required || !OPAQUE.has(last) || hasChoices(argument.schema)) return [];
  const entity = words.length > 1 ? (words.at(-2) ?? '') : entityOf(tool.name);
  if (all.some((other) => other.name !== tool.name && finds(other, entity))) return [];
  const thing = entity || 'item';
  return [
    {
      rule: 'missing-lookup',
      severity: 'warning',
      tool: tool.name,
      argument: argument.name,
      values: [argument.name, thing],
      rewrite: JSON.stringify(
        {
          name: `search_${thing}s`,
          description: `Finds ${thing}s by words. Returns each with its ${argument.name}.`,
          annotations: { readOnlyHint: true },
          inputSchema: {
            type: 'object',
            properties: { query: { type: 'string', description: 'Words to look for.' } },
            required: ['query'],
          },
        },
        null,
        2,
      ),
    },
  ];
}

function entityOf(toolName: string): string {
  return splitWords(toolName).at(-1) ?? '';
}

function finds(tool: ToolDescriptor, entity: string): boolean {
  const words = splitWords(tool.name);
  const reads = words.some((word) => FINDERS.has(word)) || tool.annotations?.readOnlyHint === true;
  if (!reads) return false;
  if (entity === '') return true;
  const stem = entity.replace(/s$/, '');
  const said = [...words, ...splitWords(head(tool.description))];
  return said.some((word) => word.replace(/(?:es|s)$/, '').startsWith(stem));
}

/** Facts about a person that few tools need, and that tell people apart. */
const PERSONAL = new Set([
  'age',
  'birthday',
  'birthdate',
  'birth',
  'dob',
  'ethnicity',
  'race',
  'religion',
  'gender',
  'sex',
  'pregnant',
  'pregnancy',
  'health',
  'diagnosis',
  'disability',
  'income',
  'salary',
  'ssn',
  'passport',
  'nationality',
  'orientation',
  'politics',
  'password',
  'pin',
  'cvv',
  'cvc',
]);

function overAsking(tool: ToolDescriptor, argument: Argument): Finding[] {
  const word = splitWords(argument.name).find((part) => PERSONAL.has(part));
  if (word === undefined) return [];
  const about = splitWords(`${tool.name} ${head(tool.description)}`);
  if (about.includes(word)) return [];
  return [
    {
      rule: 'over-asking',
      severity: argument.required ? 'error' : 'warning',
      tool: tool.name,
      argument: argument.name,
      values: [argument.name],
      rewrite: '',
    },
  ];
}

function sentence(name: string): string {
  const text = splitWords(name).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
