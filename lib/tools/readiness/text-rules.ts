import { STOP_WORDS } from '../text/stop-words';
import { firstSentence } from '../text/untrusted';
import { splitWords } from '../text/words';
import type { ToolDescriptor } from '../tool';
import { type Argument, argumentsOf } from './arguments';
import { type Finding, head, type Severity, wordsOf } from './finding';

/** Longer descriptions cost every turn tokens; the share of public tools below it is nine in ten. */
const LONG_DESCRIPTION = 300;
const LONG_ARGUMENT = 200;
/** Fewer words than that say no more than the name. */
const FEW_WORDS = 4;
/** The same for scripts that write without spaces. */
const FEW_CHARACTERS = 8;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Words that say nothing about what a tool does. */
const EMPTY = new Set(['tool', 'function', 'method', 'api', 'page', 'use', 'uses', 'calls']);

export function textFindings(tool: ToolDescriptor): Finding[] {
  const args = argumentsOf(tool);
  return [
    ...injection(tool, args),
    ...hiddenCharacters(tool, args),
    ...hostName(tool),
    ...crypticNames(tool, args),
    ...vagueDescription(tool),
    ...longDescriptions(tool, args),
    ...noReadOnlyHint(tool),
  ];
}

/** Passages that talk to the model instead of describing the tool. */
const INJECTIONS = [
  /\b(?:ignore|disregard|forget)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|other|all|your)\b[^.\n]{0,40}\b(?:instructions?|rules?|prompts?|tools?|messages?)\b/i,
  /\bsystem\s+(?:prompt|message|instruction)s?\b/i,
  /\b(?:do not|don't|never)\s+(?:tell|inform|mention|reveal|show|ask)\b[^.\n]{0,40}\buser\b/i,
  /\bwithout\s+(?:asking|telling|informing|confirming)\b/i,
  /\b(?:always|must)\s+(?:call|use|run|invoke)\b[^.\n]{0,60}\b(?:first|before|instead of|any other)\b/i,
  /\byou are (?:now|an?)\b[^.\n]{0,40}\b(?:assistant|agent|model|AI)\b/i,
  /<\|[a-z_]{1,30}\|>|<\/?(?:tool_call|tools|system|im_start|im_end|think)>|\[\/?INST\]|<start_of_turn>/i,
  /\b(?:approve|confirm)s?\s+(?:automatically|by itself)\b/i,
];

function injection(tool: ToolDescriptor, args: readonly Argument[]): Finding[] {
  return passages(tool, args).flatMap(({ text, argument }) => {
    const found = INJECTIONS.map((pattern) => pattern.exec(text)?.[0]).find((hit) => hit);
    if (!found) return [];
    const kept = text
      .split(/(?<=[.!?])\s+/)
      .filter((sentence) => !INJECTIONS.some((pattern) => pattern.test(sentence)))
      .join(' ');
    return [finding('injection', 'error', tool, argument, [found.slice(0, 120)], kept)];
  });
}

/** Zero-width, direction-changing and tag characters: unseen by people, read by models. */
const HIDDEN =
  /[\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}\u{ad}\u{e0000}-\u{e007f}]/u;

function hiddenCharacters(tool: ToolDescriptor, args: readonly Argument[]): Finding[] {
  return passages(tool, args).flatMap(({ text, argument }) => {
    const found = HIDDEN.exec(text)?.[0];
    if (!found) return [];
    const code = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    const kept = text.replace(new RegExp(HIDDEN, 'gu'), '');
    return [finding('hidden-characters', 'error', tool, argument, [code], kept)];
  });
}

function passages(
  tool: ToolDescriptor,
  args: readonly Argument[],
): { text: string; argument?: string }[] {
  return [
    { text: wordsOf(tool) },
    ...args.map(({ name, description }) => ({ text: head(description), argument: name })),
  ];
}

/** What every host takes: OpenAI, Anthropic and Gemini allow 64 characters; Chrome's model no capitals. */
const HOST_NAME = /^[a-z][a-z0-9_-]{0,63}$/;

function hostName(tool: ToolDescriptor): Finding[] {
  if (HOST_NAME.test(tool.name)) return [];
  const refused = !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(tool.name);
  const rewrite = splitWords(tool.name)
    .join('_')
    .replace(/[^a-z0-9_]+/g, '')
    .replace(/^[^a-z]+/, '')
    .slice(0, 64);
  return [
    finding('host-name', refused ? 'warning' : 'hint', tool, undefined, [tool.name], rewrite),
  ];
}

/** Short words that stand for themselves; other words without a vowel are abbreviations. */
const KNOWN = new Set([
  ...['id', 'ids', 'sku', 'url', 'uri', 'pdf', 'csv', 'xml', 'html', 'http', 'sql', 'sms', 'gps'],
  ...['by', 'my', 'try', 'why', 'dry', 'sync', 'rhythm', 'css', 'js', 'dns', 'vpn', 'tv', 'pm'],
  ...[
    'km',
    'cm',
    'mm',
    'kg',
    'min',
    'max',
    'lat',
    'lng',
    'lon',
    'utc',
    'gmt',
    'zip',
    'x',
    'y',
    'z',
  ],
  ...['usd', 'gbp', 'jpy', 'ms', 'kmh', 'mph', 'm2', 'px', 'mb', 'gb', 'kb', 'q', 'm', 'kb', 'hr'],
]);

function crypticNames(tool: ToolDescriptor, args: readonly Argument[]): Finding[] {
  const named = tool.title
    ? splitWords(tool.title)
    : splitWords(firstSentence(tool.description, 60));
  const toolFinding = isCryptic(tool.name)
    ? [
        finding(
          'cryptic-name',
          'warning',
          tool,
          undefined,
          [tool.name],
          named.slice(0, 4).join('_'),
        ),
      ]
    : [];
  return [
    ...toolFinding,
    ...args
      .filter(({ name }) => isCryptic(name))
      .map(({ name, description }) =>
        finding(
          'cryptic-name',
          'hint',
          tool,
          name,
          [name],
          splitWords(firstSentence(description, 40)).slice(0, 3).join('_'),
        ),
      ),
  ];
}

function isCryptic(name: string): boolean {
  const words = splitWords(name);
  if (words.length === 0) return true;
  return words.some(
    (word) =>
      /^[a-z]+$/.test(word) &&
      !KNOWN.has(word) &&
      (word.length === 1 || (word.length > 1 && !/[aeiou]/.test(word))),
  );
}

function vagueDescription(tool: ToolDescriptor): Finding[] {
  const text = head(tool.description).trim();
  const words = splitWords(text);
  const name = new Set(splitWords(tool.name));
  const own = words.filter((word) => !name.has(word) && !EMPTY.has(word) && !STOP_WORDS.has(word));
  const says = UNSPACED.test(text)
    ? text.length >= FEW_CHARACTERS
    : own.length >= 1 && words.length >= FEW_WORDS;
  if (says || text.length > 60) return [];
  const readable = splitWords(tool.name).join(' ');
  const rewrite = `${readable.charAt(0).toUpperCase()}${readable.slice(1)}: what it does, when to use it, what it returns.`;
  return [
    finding(
      'vague-description',
      'warning',
      tool,
      undefined,
      [tool.description.slice(0, 80)],
      rewrite,
    ),
  ];
}

function longDescriptions(tool: ToolDescriptor, args: readonly Argument[]): Finding[] {
  const long = (text: string, most: number, argument?: string): Finding[] =>
    text.length <= most
      ? []
      : [
          finding(
            'long-description',
            'hint',
            tool,
            argument,
            [String(text.length), String(most)],
            `${firstSentence(head(text), most - 1)}.`,
          ),
        ];
  return [
    ...long(tool.description, LONG_DESCRIPTION),
    ...args.flatMap(({ name, description }) => long(description, LONG_ARGUMENT, name)),
  ];
}

const READING = new Set([
  ...['get', 'list', 'search', 'find', 'show', 'read', 'check', 'view', 'count', 'query', 'lookup'],
  ...['fetch', 'browse', 'describe', 'compare', 'calculate', 'preview'],
]);
const WRITING = new Set([
  'add',
  'set',
  'create',
  'update',
  'delete',
  'remove',
  'buy',
  'send',
  'book',
]);

function noReadOnlyHint(tool: ToolDescriptor): Finding[] {
  const words = splitWords(tool.name);
  const reads = READING.has(words[0] ?? '') && !words.some((word) => WRITING.has(word));
  if (!reads || tool.annotations?.readOnlyHint !== undefined) return [];
  return [
    finding(
      'no-read-only-hint',
      'hint',
      tool,
      undefined,
      [],
      JSON.stringify({ annotations: { readOnlyHint: true } }),
    ),
  ];
}

function finding(
  rule: Finding['rule'],
  severity: Severity,
  tool: ToolDescriptor,
  argument: string | undefined,
  values: string[],
  rewrite: string,
): Finding {
  return {
    rule,
    severity,
    tool: tool.name,
    ...(argument === undefined ? {} : { argument }),
    values,
    rewrite,
  };
}
