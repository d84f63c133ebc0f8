import * as z from 'zod';
import { defineTool, type OwnTool, pageOfText } from './own-tools';
import type { AgentPage } from './ports';
import { renderResult } from './results';

/** What the user has let this conversation read. */
export interface Shared {
  /** The page's visible text. */
  text?: boolean;
  selection?: boolean;
}

/** Tokens of the words that say which page it is. */
const PAGE_NOTE = 16;

export const ASK_USER = 'ask_user';

/** What an engine may add when it asks on account of one tool: the panel then offers its form. */
const FormRequest = z.object({
  tool: z.string(),
  missing: z.array(z.string()).catch([]),
  known: z.record(z.string(), z.json()).catch({}),
});

/** Always offered: a model that lacks a value must have a way to say so. */
const askUser = defineTool({
  name: ASK_USER,
  description: 'Ask the user for a value you do not know.',
  parameters: z.looseObject({
    question: z.string().min(1).max(500).describe('One short question'),
    choices: z.array(z.string().max(200)).max(12).optional().describe('Answers to choose from'),
  }),
  async execute(input, context) {
    const { question, choices = [] } = input;
    const wanted = FormRequest.safeParse(input);
    const tool = wanted.success ? context.pageTool(wanted.data.tool) : undefined;
    return await context.askUser({
      text: question,
      choices: choices.map((choice) => ({ value: choice, label: choice })),
      ...(wanted.success && tool
        ? {
            form: {
              tool: tool.ref,
              schema: tool.schema,
              values: wanted.data.known,
              missing: wanted.data.missing,
            },
          }
        : {}),
    });
  },
  toModelOutput: (answer) =>
    answer === null ? 'The user did not answer.' : renderResult(answer, { limit: 2000 }),
});

/** The built-in tools for a page and what the user shared of it. */
export function builtInTools(page: AgentPage, shared: Shared = {}): OwnTool[] {
  const tools: OwnTool[] = [askUser];
  const read = page.read?.bind(page);
  if (read === undefined) return tools;
  if (shared.text) {
    tools.push(
      defineTool({
        name: 'read_page_text',
        description: 'Read the visible text of the page.',
        parameters: z.object({ page: z.int().min(1).optional().describe('Page number') }),
        untrusted: true,
        outputMode: 'content',
        execute: ({ page: wanted = 1 }, context) =>
          read('text', context.signal).then((text) =>
            pageOfText(text, wanted, context.outputTokens - PAGE_NOTE, context.countTokens),
          ),
        toModelOutput: ({ text, page: number, pages }) =>
          pages > 1 ? `${text}\n(page ${number} of ${pages})` : text,
      }),
    );
  }
  if (shared.selection) {
    tools.push(
      defineTool({
        name: 'read_selection',
        description: 'Read the text the user selected on the page.',
        parameters: z.object({}),
        untrusted: true,
        outputMode: 'content',
        execute: (_, context) => read('selection', context.signal),
        toModelOutput: (text, context) =>
          text === ''
            ? 'Nothing is selected.'
            : pageOfText(text, 1, context.outputTokens, context.countTokens).text,
      }),
    );
  }
  return tools;
}
