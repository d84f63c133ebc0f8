import type { DialectId } from '../agent/engine';
import type { HeldTool, JsonSchema, JsonValue } from '../tools/tool';

/**
 * A GBNF grammar (llama.cpp's) under which a reply is free text, then calls only of the given tools
 * with arguments of the declared shape. Keywords a grammar cannot express are left to validation.
 *
 * `undefined` for dialects without such a grammar here: their replies are parsed and validated anyway.
 */
export function callsGrammar(dialect: DialectId, tools: readonly HeldTool[]): string | undefined {
  const style = STYLES[dialect];
  if (!style || tools.length === 0) return undefined;
  const grammar = createGrammar(style);
  const calls = tools.map((tool, i) =>
    grammar.rule(
      `tool-${i}`,
      [
        style.beforeName(tool.name),
        grammar.object(tool.strict ?? tool.parameters, 0, style.arguments),
        style.afterArguments,
      ].join(' '),
    ),
  );
  const call = grammar.rule('call', calls.join(' | '));
  return [
    `root ::= prose (${style.open} ${call} ${style.more(call)} ${style.close} space)*`,
    `prose ::= ${style.prose}`,
    ...grammar.rules,
    ...style.primitives,
    ...PRIMITIVES,
  ].join('\n');
}

/**
 * A GBNF grammar for a reply that is one JSON value of the given shape. llama.cpp could convert the
 * schema itself, but takes the whole engine down over a schema it does not understand.
 */
export function jsonGrammar(schema: JsonSchema): string {
  const grammar = createGrammar(JSON_STYLE);
  return [
    `root ::= ${grammar.value(schema, 0)}`,
    ...grammar.rules,
    ...JSON_STYLE.primitives,
    ...PRIMITIVES,
  ].join('\n');
}

interface ObjectStyle {
  open: string;
  close: string;
  member(name: string): string;
}
/** How a dialect writes values. */
interface ValueStyle {
  literal(value: JsonValue): string;
  boolean: string;
  nothing: string;
  primitives: string[];
}
interface CallStyle extends ValueStyle {
  /** Any text in which no call begins. */
  prose: string;
  open: string;
  close: string;
  /** Further calls between one pair of marks, where the dialect has them. */
  more(call: string): string;
  beforeName(name: string): string;
  afterArguments: string;
  arguments: ObjectStyle;
}

const JSON_OBJECT: ObjectStyle = {
  open: '"{" space',
  close: 'space "}"',
  member: (name) => `${quote(JSON.stringify(name))} space ":" space`,
};

const JSON_STYLE: ValueStyle = {
  literal: (value) => quote(JSON.stringify(value)),
  boolean: '"true" | "false"',
  nothing: '"null"',
  primitives: [`string ::= "\\"" character* "\\""`],
};

const STYLES: Readonly<Partial<Record<DialectId, CallStyle>>> = {
  hermes: {
    ...JSON_STYLE,
    // "<to…" never starts in prose; "<think>" does.
    prose: '([^<] | "<"+ [^t<] | "<"+ "t" [^o<])*',
    open: '"<tool_call>" space',
    close: 'space "</tool_call>"',
    more: () => '',
    beforeName: (name) =>
      `"{" space ${quote('"name"')} space ":" space ${quote(JSON.stringify(name))} space "," space ${quote('"arguments"')} space ":" space`,
    afterArguments: 'space "}"',
    arguments: JSON_OBJECT,
  },
  liquid: {
    prose: '([^<] | "<"+ [^|<])*',
    open: '"<|tool_call_start|>["',
    close: '"]<|tool_call_end|>"',
    more: (call) => `(", " ${call})*`,
    beforeName: (name) => quote(name),
    afterArguments: '',
    arguments: { open: '"("', close: '")"', member: (name) => quote(`${name}=`) },
    literal: (value) => quote(python(value)),
    boolean: '"True" | "False"',
    nothing: '"None"',
    primitives: [`string ::= "\\"" character* "\\"" | "'" ([^'\\\\\\n] | "\\\\" [\\\\'"nrt])* "'"`],
  },
};

const PRIMITIVES = [
  'space ::= [ \\n]{0,2}',
  `character ::= [^"\\\\\\x00-\\x1F\\x7F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F]{4})`,
  'integer ::= "-"? ("0" | [1-9] [0-9]{0,14})',
  'unsigned ::= ("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,12})? ([eE] [-+]? [0-9]{1,3})?',
  'number ::= integer ("." [0-9]{1,12})? ([eE] [-+]? [0-9]{1,3})?',
  'array ::= "[" space (value ("," space value)*)? space "]"',
  'object ::= "{" space (string space ":" space value ("," space string space ":" space value)*)? space "}"',
  'value ::= string | number | boolean | nothing | array | object',
];

/** Hostile schemas may be endless; below these depths and sizes any JSON is let through. */
const MOST_DEPTH = 6;
const MOST_RULES = 600;
const MOST_CHOICES = 200;

function createGrammar(style: ValueStyle) {
  const rules: string[] = [`boolean ::= ${style.boolean}`, `nothing ::= ${style.nothing}`];
  let count = 0;
  const rule = (name: string, body: string): string => {
    rules.push(`${name} ::= ${body}`);
    return name;
  };
  const fresh = (kind: string) => `${kind}-${count++}`;

  function value(schema: JsonValue | undefined, depth: number): string {
    if (!isObject(schema) || depth > MOST_DEPTH || rules.length > MOST_RULES) return 'value';
    if (schema['const'] !== undefined) return style.literal(schema['const']);
    const choices = schema['enum'];
    if (Array.isArray(choices) && choices.length > 0 && choices.length <= MOST_CHOICES)
      return `(${choices.map(style.literal).join(' | ')})`;
    const variants = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(variants) && variants.length > 0 && variants.length <= 20)
      return `(${variants.map((variant) => value(variant, depth + 1)).join(' | ')})`;
    const types = Array.isArray(schema['type']) ? schema['type'].slice(0, 7) : [schema['type']];
    return types.length === 1
      ? typed(types[0], schema, depth)
      : `(${types.map((type) => typed(type, schema, depth)).join(' | ')})`;
  }

  function typed(type: JsonValue | undefined, schema: JsonSchema, depth: number): string {
    switch (type) {
      case 'boolean':
        return type;
      case 'string':
        return text(schema);
      case 'integer':
        return whole(schema);
      case 'number':
        return typeof schema['minimum'] === 'number' && schema['minimum'] >= 0 ? 'unsigned' : type;
      case 'null':
        return 'nothing';
      case 'array': {
        const item = value(schema['items'], depth + 1);
        const { least, most } = counts(schema, 'minItems', 'maxItems');
        if (most === 0) return '"[" space "]"';
        const more = repeat(`("," space ${item})`, Math.max(0, least - 1), most && most - 1);
        const some = `${item} ${more}`;
        return rule(fresh('list'), `"[" space ${least > 0 ? some : `(${some})?`} space "]"`);
      }
      case 'object':
        return isObject(schema['properties']) ? object(schema, depth) : 'object';
      default:
        return 'value';
    }
  }

  function text(schema: JsonSchema): string {
    const { format } = schema;
    const form =
      typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
    if (form !== undefined) return `"\\"" ${form} "\\""`;
    const { least, most } = counts(schema, 'minLength', 'maxLength');
    if (least === 0 && most === undefined) return 'string';
    return rule(fresh('text'), `"\\"" ${repeat('character', least, most)} "\\""`);
  }

  function whole(schema: JsonSchema): string {
    const { minimum, maximum } = schema;
    const range = wholeNumbers(
      typeof minimum === 'number' ? Math.ceil(minimum) : undefined,
      typeof maximum === 'number' ? Math.floor(maximum) : undefined,
    );
    return range === undefined ? 'integer' : rule(fresh('whole'), range);
  }

  /** Members in the order of their declaration; those not required may be left out. */
  function object(schema: JsonSchema, depth: number, shape: ObjectStyle = JSON_OBJECT): string {
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const listed = Array.isArray(schema['required']) ? schema['required'] : [];
    const required = new Set(listed);
    const needed = listed.filter(
      (name) => typeof name === 'string' && Object.hasOwn(properties, name),
    );
    const all = Object.keys(properties);
    // Where not all can be written, those that must be come first.
    const names =
      all.length <= MOST_CHOICES
        ? all
        : [...new Set([...needed.map(String), ...all])].slice(
            0,
            Math.max(MOST_CHOICES, needed.length),
          );
    const id = fresh('members');
    // Last to first, as each rule refers to the next one.
    let first = '""';
    let next = '""';
    names.toReversed().forEach((name, back) => {
      const member = `${shape.member(name)} ${value(properties[name], depth + 1)}`;
      const i = names.length - 1 - back;
      const must = required.has(name);
      first = rule(`${id}-first-${i}`, must ? `${member} ${next}` : `${member} ${next} | ${first}`);
      next = rule(
        `${id}-next-${i}`,
        must ? `"," space ${member} ${next}` : `"," space ${member} ${next} | ${next}`,
      );
    });
    return `${shape.open} ${first} ${shape.close}`;
  }

  return { rule, object, value, rules };
}

/** Counts beyond this are left to validation: each is written out in the grammar. */
const MOST_REPEATED = 100;

/** How many there may be, as far as a grammar says it; `most` is absent where nothing bounds them. */
function counts(schema: JsonSchema, from: string, to: string): { least: number; most?: number } {
  const [least, most] = [schema[from], schema[to]].map((count) =>
    typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MOST_REPEATED
      ? count
      : undefined,
  );
  if (most === undefined) return { least: least ?? 0 };
  return (least ?? 0) <= most ? { least: least ?? 0, most } : { least: 0 };
}

function repeat(what: string, least: number, most: number | undefined): string {
  if (least === 0 && most === undefined) return `${what}*`;
  return `${what}{${least},${most ?? ''}}`;
}

const DATE = '[0-9]{4} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [12] [0-9] | "3" [01])';
const TIME =
  '([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] ("." [0-9]{1,3})? ("Z" | [+-] ([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9])';
const HEX = '[0-9a-fA-F]';
const FORMATS: Readonly<Record<string, string>> = {
  date: DATE,
  time: TIME,
  'date-time': `${DATE} "T" ${TIME}`,
  uuid: `${HEX}{8} "-" ${HEX}{4} "-" ${HEX}{4} "-" ${HEX}{4} "-" ${HEX}{12}`,
};

/** Digits of a whole number a grammar lets through. */
const MOST_DIGITS = 15;
const LARGEST = 10 ** MOST_DIGITS - 1;

/**
 * Whole numbers from `least` to `most`, an absent bound being as far as 15 digits go. `undefined`
 * where nothing is bounded or the bounds leave nothing.
 */
export function wholeNumbers(least?: number, most?: number): string | undefined {
  const from = Math.max(least ?? -LARGEST, -LARGEST);
  const to = Math.min(most ?? LARGEST, LARGEST);
  if ((from === -LARGEST && to === LARGEST) || from > to) return undefined;
  const parts: string[] = [];
  if (from < 0) parts.push(...digits(Math.max(1, -to), -from).map((form) => `"-" (${form})`));
  if (to >= 0) parts.push(...digits(Math.max(0, from), to));
  return parts.join(' | ');
}

/** The forms of the numbers between two that are not negative, by how many digits they have. */
function digits(from: number, to: number): string[] {
  const forms: string[] = [];
  for (let length = String(from).length; length <= String(to).length; length++) {
    const low = Math.max(from, length === 1 ? 0 : 10 ** (length - 1));
    forms.push(between(String(low), String(Math.min(to, 10 ** length - 1))));
  }
  return forms;
}

/** The numbers between two of equally many digits. */
function between(low: string, high: string): string {
  const [a = '', b = ''] = [low.charAt(0), high.charAt(0)];
  const [lows, highs] = [low.slice(1), high.slice(1)];
  const rest = lows === '' ? '' : ` [0-9]{${lows.length}}`;
  if (/^0*$/.test(lows) && /^9*$/.test(highs)) return `[${a}-${b}]${rest}`;
  if (a === b) return `"${a}" (${between(lows, highs)})`;
  const nines = '9'.repeat(lows.length);
  const forms = [`"${a}" (${between(lows, nines)})`];
  if (Number(b) - Number(a) > 1) forms.push(`[${Number(a) + 1}-${Number(b) - 1}]${rest}`);
  forms.push(`"${b}" (${between('0'.repeat(highs.length), highs)})`);
  return forms.join(' | ');
}

function isObject(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A terminal that matches exactly this text. */
function quote(text: string): string {
  const escaped = text.toWellFormed().replace(/["\\]|\p{Cc}/gu, (c) => {
    if (c === '"' || c === '\\') return `\\${c}`;
    return `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `"${escaped}"`;
}

function python(value: JsonValue): string {
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  return JSON.stringify(value);
}
