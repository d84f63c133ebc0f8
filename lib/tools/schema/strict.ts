import type { JsonSchema } from '../tool';
import { isObjectSchema, mapSubschemas, objectAt } from './walk';

/**
 * Strict mode: every object names all its properties as required and takes no others, at every level.
 * Stricter than the page's tool: what the model writes is still judged by the declared schema.
 */
export function strictSchema(schema: JsonSchema): JsonSchema {
  const node = mapSubschemas(schema, 0, (item) => strictSchema(item));
  if (!isObjectSchema(node)) return node;
  return {
    ...node,
    required: Object.keys(objectAt(node, 'properties')),
    additionalProperties: false,
  };
}
