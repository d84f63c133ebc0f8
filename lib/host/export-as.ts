import type { AgentEvent } from '../agent/events';
import type { ConversationInfo } from '../messages/host-api';
import { WordsError } from '../said/said';
import { say } from '../said/say';
import type { PageTool } from '../tools/tool';
import { toEvalCase } from './eval-case';
import { type Environment, toJson, toMarkdown, toTrace } from './exporting';

type ExportFormat = 'markdown' | 'json' | 'trace' | 'eval';

/** A conversation as a file of the wanted format. Rejects in words for the user. */
export async function exportAs(
  format: ExportFormat,
  info: ConversationInfo,
  events: readonly AgentEvent[],
  ask: {
    environment: Environment;
    /** Whether values may stand in a trace. */
    capture(): Promise<boolean>;
    /** Of the page the conversation is open on; `undefined` where it is on none. */
    tools(): Promise<readonly PageTool[] | undefined>;
  },
): Promise<{ filename: string; text: string }> {
  const stem = `pagehand-${new Date(info.createdAt).toISOString().slice(0, 10)}-${info.id.slice(-5)}`;
  switch (format) {
    case 'markdown':
      return { filename: `${stem}.md`, text: toMarkdown(info, events) };
    case 'json':
      return { filename: `${stem}.json`, text: toJson(info, events) };
    case 'trace': {
      const text = toTrace(info, events, ask.environment, await ask.capture());
      return { filename: `${stem}.trace.json`, text };
    }
    case 'eval': {
      const tools = await ask.tools();
      if (tools === undefined) {
        throw new WordsError(say('case-needs-page'));
      }
      return { filename: `${stem}.eval.json`, text: toEvalCase(info, events, tools) };
    }
  }
}
