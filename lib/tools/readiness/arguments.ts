import { resolveRefs } from '../schema/resolve';
import { isObject, surfaceOf, typesOf } from '../schema/walk';
import type { JsonSchema, JsonValue, ToolDescriptor } from '../tool';

export interface Argument {
  name: string;
  required: boolean;
  description: string;
  types: string[];
  schema: JsonSchema;
}

/** Arguments a rule looks at, in the page's order; a schema that cannot be read has none. */
const MOST_ARGUMENTS = 100;

export function argumentsOf(tool: ToolDescriptor): Argument[] {
  if (!tool.inputSchema) return [];
  const { properties, required } = surfaceOf(readable(tool.inputSchema));
  return Object.entries(properties)
    .slice(0, MOST_ARGUMENTS)
    .map(([name, value]) => describe(name, value, required.includes(name)));
}

function readable(schema: JsonSchema): JsonSchema {
  try {
    return resolveRefs(schema);
  } catch {
    return {};
  }
}

function describe(name: string, value: JsonValue, required: boolean): Argument {
  const schema = isObject(value) ? value : {};
  const { description } = schema;
  return {
    name,
    required,
    description: typeof description === 'string' ? description : '',
    types: typesOf(schema),
    schema,
  };
}

/** Whether the argument may be one of a declared set. */
export function hasChoices(schema: JsonSchema): boolean {
  return ['enum', 'const', 'oneOf', 'anyOf'].some((keyword) => Object.hasOwn(schema, keyword));
}
