import { compactTool, pickTools } from '../tools/rank';
import type { CompactTool, JsonObject, PageTool } from '../tools/tool';
import { builtInTools } from './builtins';
import type { EventBody, ToolRef } from './events';
import { type OwnTool, schemaOfOwn } from './own-tools';
import type { Turn } from './turn';

/** A tool as this step offers it, under the name the model knows. */
export type OfferedTool =
  | { kind: 'page'; name: string; tool: PageTool; compact: CompactTool; deferred: boolean }
  | { kind: 'own'; name: string; tool: OwnTool; compact: CompactTool };

/** What one step works with. */
export interface StepTools {
  /** In the prompt, in this order. */
  shown: CompactTool[];
  /** Finds what a call names; deferred tools can be called though they are not shown. */
  find(name: string): OfferedTool | undefined;
  /** Names the parser may accept. */
  names: ReadonlySet<string>;
  /** The answer to a call of a name that is not offered. */
  unknown(name: string, args: JsonObject): string;
  /** The event of this step, but for what only the prompt knows. */
  chosen: Omit<Extract<EventBody, { type: 'tools-chosen' }>, 'type' | 'step' | 'budget'>;
}

export const refOf = (offered: OfferedTool): ToolRef =>
  offered.kind === 'own'
    ? { key: `pagehand/${offered.name}`, name: offered.name, origin: 'pagehand' }
    : {
        key: offered.tool.key,
        name: offered.tool.name,
        ...(offered.tool.title ? { title: offered.tool.title } : {}),
        origin: offered.tool.origin,
      };

/** Chooses what this step's prompt holds of a freshly collected catalog. */
export function chooseStepTools(turn: Turn, tools: readonly PageTool[]): StepTools {
  const { options, limits } = turn;
  const own = [...builtInTools(options.page, options.shared), ...(options.tools ?? [])];
  const reserved = new Set(own.map((tool) => tool.name));
  const left: { name: string; key: string; why: string }[] = [];
  const open: PageTool[] = [];
  for (const tool of tools) {
    const rules = options.settings.site(tool.origin);
    const set = rules.tools[tool.name] ?? rules.recipe?.exposure?.[tool.name] ?? 'direct';
    const twice = reserved.has(tool.name) || open.some((other) => other.name === tool.name);
    if (set === 'hidden' || tool.annotations?.debugging || twice) {
      const why = twice ? 'another tool has the same name' : 'hidden';
      left.push({ name: tool.name, key: tool.key, why });
    } else open.push(tool);
  }
  const recent = turn.done.map((call) => call.name).concat(options.history.recentTools ?? []);
  const picked = pickTools(open, options.ask, { max: limits.maxTools, recent });
  for (const tool of open) {
    if (!picked.includes(tool)) left.push({ name: tool.name, key: tool.key, why: 'ranked lower' });
  }
  const offered: OfferedTool[] = [
    ...picked.map((tool): OfferedTool => {
      return { kind: 'page', name: tool.name, tool, compact: compactTool(tool), deferred: false };
    }),
    ...own.map((tool): OfferedTool => {
      const { name, description } = tool;
      return {
        kind: 'own',
        name,
        tool,
        compact: { name, description, parameters: schemaOfOwn(tool) },
      };
    }),
  ];
  const byName = new Map(offered.map((tool) => [tool.name, tool]));
  return {
    shown: offered.map((tool) => tool.compact),
    find: (name) => byName.get(name),
    names: new Set(byName.keys()),
    unknown: (name) => `There is no tool "${name}". Use one of: ${[...byName.keys()].join(', ')}.`,
    chosen: {
      offered: offered.map((tool) => {
        const text = JSON.stringify(tool.compact);
        return {
          name: tool.name,
          key: refOf(tool).key,
          why: tool.kind === 'own' ? 'built-in' : 'ranked',
          bytes: new TextEncoder().encode(text).length,
          tokens: options.engine.countTokens(text),
        };
      }),
      left,
    },
  };
}
