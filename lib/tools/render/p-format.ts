import { isObject, surfaceOf, typesOf } from '../schema/walk';
import { cleanText } from '../text/untrusted';
import type { CompactTool, JsonObject, JsonSchema, JsonValue } from '../tool';

/** What a P-Format value is read as; `unknown` reads as text. */
export type SlotType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'unknown';

/** One numbered place of a P-Format call: `name[0|value|1|value]`, the number being the slot's index. */
export interface Slot {
  name: string;
  type: SlotType;
  required: boolean;
}

const SLOT_TYPES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
]);
const isSlotType = (type: string): type is SlotType => SLOT_TYPES.has(type);

/**
 * The slots of a tool, in the order that signature and parser agree on: required arguments as the
 * schema lists them, then optional ones by name. The parser must be given the slots of the very
 * parameters that were shown.
 */
export function slotsOf(parameters: JsonSchema): Slot[] {
  const { properties, required } = surfaceOf(parameters);
  const isRequired = new Set(required);
  const optional = Object.keys(properties)
    .filter((name) => !isRequired.has(name))
    .sort(byCodeUnit);
  return [...required, ...optional].map((name) => ({
    name,
    type: slotType(Object.hasOwn(properties, name) ? properties[name] : undefined),
    required: isRequired.has(name),
  }));
}

/** Order that does not depend on the machine's language. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function slotType(property: JsonValue | undefined): SlotType {
  if (!isObject(property)) return 'unknown';
  const [type, ...others] = typesOf(property).filter((name) => name !== 'null');
  if (type !== undefined) return others.length === 0 && isSlotType(type) ? type : 'unknown';
  const choices = property['enum'];
  const kinds = Array.isArray(choices)
    ? new Set(choices.map((choice) => typeof choice))
    : undefined;
  const [kind] = kinds?.size === 1 ? kinds : [];
  return kind !== undefined && isSlotType(kind) ? kind : 'unknown';
}

/** Longest slot name shown; the parser goes by the number. */
const MAX_NAME = 40;
const UNSAFE_IN_NAME = /[^\p{L}\p{N}_.$-]+/gu;

/** `read_file[0|<path>|1|<limit>]`, `ping[]` for a tool without arguments. */
export function pFormatSignature(tool: CompactTool): string {
  const slots = slotsOf(tool.parameters).map(
    ({ name }, index) =>
      `${index}|<${cleanText(name).replace(UNSAFE_IN_NAME, '_').slice(0, MAX_NAME)}>`,
  );
  return `${tool.name}[${slots.join('|')}]`;
}

/** A call in P-Format, as the signature asks for it; arguments without a slot are left out. */
export function pFormatCall(tool: CompactTool, args: JsonObject): string {
  const values = slotsOf(tool.parameters).flatMap(({ name }, index) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    return value === undefined ? [] : [`${index}|${escaped(value)}`];
  });
  return `${tool.name}[${values.join('|')}]`;
}

function escaped(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/[\\|\]]/g, '\\$&');
}
