import { surfaceOf } from '../schema/walk';
import { safeJson, safeLine } from '../text/untrusted';
import type { CompactTool } from '../tool';
import { pFormatSignature, slotsOf } from './p-format';
import { type ArgumentNote, argumentNotes, argumentType, typeSignature } from './signature';

/**
 * The ways a prompt lists tools: as JSON, one object a line within `<tools>`; as positional P-Format
 * signatures, for models that answer in P-Format; as TypeScript-like signatures.
 */
export const LISTINGS = ['json', 'p-format', 'typescript'] as const;
export type Listing = (typeof LISTINGS)[number];

/**
 * The tools as text for the prompt, in the order given. Whatever a page wrote in them stays on its
 * tool's lines and spells no marker of a model's template.
 */
export function renderTools(listing: Listing, tools: readonly CompactTool[]): string {
  const lines = tools.map((tool) => renderTool(listing, tool));
  return listing === 'json' ? `<tools>\n${lines.join('\n')}\n</tools>` : lines.join('\n');
}

/** One tool of {@link renderTools}. */
export function renderTool(listing: Listing, tool: CompactTool): string {
  switch (listing) {
    case 'json':
      return toolJson(tool);
    case 'p-format':
      return described(pFormatSignature(tool), tool.description, typedNotes(tool));
    case 'typescript':
      return described(
        `${tool.name}(${argumentsOf(tool)})`,
        tool.description,
        argumentNotes(tool.parameters),
      );
  }
}

/** A tool as compact JSON, the form whose bytes schema budgets count. */
export function toolJson(tool: CompactTool): string {
  const { name, description, parameters } = tool;
  return safeJson(JSON.stringify({ name, description, parameters }));
}

function argumentsOf(tool: CompactTool): string {
  const signature = typeSignature(tool.parameters);
  return signature === 'object' || signature === '{}' ? '' : signature;
}

/** Positions carry no types, so the notes do where a value is not plain text. */
function typedNotes(tool: CompactTool): ArgumentNote[] {
  const notes = new Map(argumentNotes(tool.parameters).map(({ name, note }) => [name, note]));
  const typed: ArgumentNote[] = [];
  const { properties } = surfaceOf(tool.parameters);
  for (const { name, required } of slotsOf(tool.parameters)) {
    const type = Object.hasOwn(properties, name) ? argumentType(properties[name]) : 'unknown';
    const kind = type === 'string' || type === 'unknown' ? '' : type;
    const parts = [required ? '' : 'optional', kind, notes.get(name) ?? ''];
    const note = parts.filter((part) => part !== '').join(', ');
    if (note !== '' && note !== 'optional') typed.push({ name, note });
  }
  return typed;
}

function described(head: string, description: string, notes: readonly ArgumentNote[]): string {
  const [first = '', ...rest] = description
    .split(/\r?\n/)
    .map(safeLine)
    .filter((line) => line !== '');
  const lines = [first === '' ? head : `${head}: ${first}`];
  for (const line of rest) lines.push(`  ${line}`);
  for (const { name, note } of notes) lines.push(`  ${safeLine(name)}: ${note}`);
  return lines.join('\n');
}
