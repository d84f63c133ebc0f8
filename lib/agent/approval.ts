import type { PageTool, ToolDescriptor } from '../tools/tool';
import { canonical } from './arguments/json';
import { saysDeed } from './deeds';
import type { EventBody } from './events';

export type ApprovalReason = Extract<EventBody, { type: 'approval-asked' }>['reason'];

/** Words in a tool's name that cost money or cannot be taken back, whatever its annotations say. */
const CONSEQUENTIAL =
  /(?:^|[^a-z])(pay|payment|purchase|buy|checkout|transfer|wire|withdraw|donate|delete|erase|subscribe|unsubscribe)(?:$|[^a-z])/;

/**
 * Whether a tool only reads. Unless a page says so none does, and its word does not count for a tool
 * that says in the same breath that it deletes, pays or sends.
 */
export const isReadOnly = (tool: ToolDescriptor) =>
  tool.annotations?.readOnlyHint === true && !saysDeed(tool);

/**
 * A tool whose every call is asked for. The page's own word counts where it says so; where it says
 * nothing, a changing tool's name may.
 */
export const isConsequential = (tool: ToolDescriptor): boolean => consequence(tool) !== null;

/** Who says that a call is binding: the page, or a word of the tool's name. `null`: nobody. */
export function consequence(
  tool: ToolDescriptor,
): { by: 'page' } | { by: 'name'; word: string } | null {
  if (tool.annotations?.consequentialHint === true) return { by: 'page' };
  if (isReadOnly(tool)) return null;
  const words = tool.name
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
  const word = CONSEQUENTIAL.exec(words)?.[1];
  return word === undefined ? null : { by: 'name', word };
}

/**
 * What "allow this tool on this site for this chat" remembers: the origin and everything the tool
 * says of itself. A tool that changes its words or its schema is another tool.
 */
export function approvalKey(tool: PageTool): string {
  const { origin, name, title, description, inputSchema, annotations } = tool;
  return canonical([
    origin,
    name,
    title ?? '',
    description,
    inputSchema ?? null,
    annotations ?? null,
  ]);
}

/** Longest key that is remembered: a tool that says more of itself is asked for each time. */
const MAX_KEY = 16_000;
export const canRememberKey = (key: string): boolean => key.length <= MAX_KEY;

/** What is known of a call when it is decided whether to ask. */
export interface Proposal {
  readOnly: boolean;
  consequential: boolean;
  /** Read from a reply that ended at its token limit. */
  cutOff: boolean;
  unsourced: boolean;
  /** A value is known from another site only. */
  otherSite: boolean;
  /** The tool is no longer the one the model was shown. */
  changedTool: boolean;
  /** "Allow … for this chat" was given before. */
  remembered: boolean;
  /** False for tools of opaque origins, which are nobody in particular, and of endless descriptions. */
  rememberable: boolean;
}

/** Whether the user is asked, why, and whether their answer may be remembered; `null`: it just runs. */
export function approvalFor(
  call: Proposal,
): { reason: ApprovalReason; canRemember: boolean; remembered: boolean } | null {
  const ask = (reason: ApprovalReason) => ({ reason, canRemember: false, remembered: false });
  if (call.cutOff) return ask('cut-off');
  if (call.changedTool) return ask('changed-tool');
  if (call.otherSite) return ask('other-site');
  if (call.consequential) return ask('consequential');
  if (call.readOnly) return null;
  if (call.unsourced) return ask('unsourced');
  const canRemember = call.rememberable;
  return { reason: 'changes', canRemember, remembered: canRemember && call.remembered };
}
