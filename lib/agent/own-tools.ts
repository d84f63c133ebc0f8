import * as z from 'zod';
import type { JsonObject, JsonSchema, JsonValue } from '../tools/tool';
import type { ToolRef } from './events';
import type { Question } from './ports';

/** What a tool of Pagehand's own may use while it runs. */
export interface ToolContext {
  signal: AbortSignal;
  facts: Readonly<Record<string, string>>;
  /** Full results of the calls of a tool that succeeded in this turn, oldest first. */
  resultsOf(toolName: string): readonly unknown[];
  /** The page's tool of that name as the model sees it, for a form; `undefined` where there is none. */
  pageTool(name: string): { ref: ToolRef; schema: JsonSchema } | undefined;
  /** Asks the user and waits; `null` when they dismiss it. The loop tells it as events. */
  askUser(question: Omit<Question, 'questionId'>): Promise<string | JsonObject | null>;
  /** What one result may take of the window, in tokens. */
  outputTokens: number;
  countTokens(text: string): number;
}

/** A tool that Pagehand itself offers, beside those of the page. */
export interface ToolDefinition<Input extends z.ZodObject, Result> {
  /** Must not be the name of a built-in one; a page's tool of the same name is renamed. */
  name: string;
  /** One sentence: what it returns or does. A model reads it on every step. */
  description: string;
  /** Flat: primitives, enums, lists of them. */
  parameters: Input;
  /** Changes something: the user is asked first. Default false. */
  writes?: boolean;
  /** The result holds text that the user did not write: it is fenced off as data. Default false. */
  untrusted?: boolean;
  /** Tools that must have run successfully earlier in the turn; refused until then. */
  requires?: readonly string[];
  /**
   * Last look at the input, before the user is asked and before it runs: returns it, mended, or throws
   * what is wrong with it in words for the model (for example: the id was in no look-up of this turn).
   */
  resolveInput?(
    input: z.infer<Input>,
    context: ToolContext,
  ): z.infer<Input> | Promise<z.infer<Input>>;
  /** What it throws becomes the result of the call; it does not end the turn. */
  execute(input: z.infer<Input>, context: ToolContext): Result | Promise<Result>;
  /** What the model gets to read; default: `key: value` lines within 600 characters. */
  toModelOutput?(result: Awaited<Result>, context: ToolContext): string;
  /**
   * `lines` (default): cut to 600 characters. `content`: literal text within a token budget, which the
   * tool pages through itself (`pageOfText`).
   */
  outputMode?: 'lines' | 'content';
}

/** Any definition; only {@link runOwnTool} and its like, which check the input first, may call it. */
export interface OwnTool
  extends Omit<ToolDefinition<z.ZodObject, unknown>, 'resolveInput' | 'execute' | 'toModelOutput'> {
  resolveInput?(input: never, context: ToolContext): unknown;
  execute(input: never, context: ToolContext): unknown;
  toModelOutput?(result: never, context: ToolContext): string;
}

/** Gives the definition back; it is there to tie the types of its parts together. */
export function defineTool<Input extends z.ZodObject, Result>(
  tool: ToolDefinition<Input, Result>,
): ToolDefinition<Input, Result> {
  return tool;
}

/** The tool's parameters as a model and a form read them. */
export function schemaOfOwn(tool: OwnTool): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.parameters, { io: 'input' });
  const plain: JsonValue = JSON.parse(JSON.stringify(schema));
  return typeof plain === 'object' && plain !== null && !Array.isArray(plain) ? plain : {};
}

/** The input as the definition wants it, or the first thing wrong with it. */
export function readInput(
  tool: OwnTool,
  args: JsonObject,
): { ok: true; input: unknown } | { ok: false; path: string; message: string } {
  const parsed = tool.parameters.safeParse(args);
  if (parsed.success) return { ok: true, input: parsed.data };
  const issue = parsed.error.issues[0];
  const path = issue?.path.join('.') ?? '';
  const words = issue?.message ?? 'does not fit';
  return { ok: false, path, message: path === '' ? `${words}.` : `"${path}": ${words}.` };
}

/** Refuses or mends a checked input; throws the tool's words. */
export async function resolveOwnInput(
  tool: OwnTool,
  input: unknown,
  context: ToolContext,
): Promise<unknown> {
  // The input came out of the tool's own schema, which is what its methods are typed by.
  return tool.resolveInput === undefined ? input : await tool.resolveInput(input as never, context);
}

export interface OwnResult {
  value: unknown;
  /** Set where the tool shapes its output itself. */
  shown?: string;
}

/** Runs the tool on a checked and resolved input; throws what the tool throws. */
export async function runOwnTool(
  tool: OwnTool,
  input: unknown,
  context: ToolContext,
): Promise<OwnResult> {
  const value = await tool.execute(input as never, context);
  return tool.toModelOutput === undefined
    ? { value }
    : { value, shown: tool.toModelOutput(value as never, context) };
}

/** One page of a long text. */
export interface TextPage {
  text: string;
  page: number;
  pages: number;
}

/**
 * Cuts a text into pages of at most `tokens` tokens, at line or word borders where there are some, and
 * gives one of them; a number out of range gives the nearest.
 */
export function pageOfText(
  text: string,
  page: number,
  tokens: number,
  countTokens: (text: string) => number,
): TextPage {
  const all = Math.max(1, countTokens(text));
  const size = Math.max(MIN_PAGE, Math.floor((text.length / all) * Math.max(1, tokens)));
  const isLonger = (at: number) =>
    at + size < text.length ||
    (at + MIN_PAGE < text.length && countTokens(text.slice(at)) > tokens);
  const starts = [0];
  for (let at = 0; isLonger(at); ) {
    let length = size;
    // The average says little where scripts are mixed.
    while (length > MIN_PAGE && countTokens(text.slice(at, at + length)) > tokens) {
      length = Math.max(MIN_PAGE, Math.floor(length * 0.8));
    }
    at = breakBefore(text, at, at + length);
    starts.push(at);
  }
  const wanted = Math.min(Math.max(1, Math.floor(page) || 1), starts.length);
  return {
    text: text.slice(starts[wanted - 1], starts[wanted]).trim(),
    page: wanted,
    pages: starts.length,
  };
}

/** Shortest page, in characters. */
const MIN_PAGE = 40;

function breakBefore(text: string, from: number, to: number): number {
  const window = text.slice(from, to);
  const line = window.lastIndexOf('\n');
  if (line > window.length / 2) return from + line + 1;
  const space = window.lastIndexOf(' ');
  if (space > window.length / 2) return from + space + 1;
  const last = text.charCodeAt(to - 1);
  return last >= 0xd800 && last <= 0xdbff ? to - 1 : to;
}
