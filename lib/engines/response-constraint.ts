import { resolveRefs } from '../tools/schema/resolve';
import { simplifySchema } from '../tools/schema/simplify';
import { stripKeywords } from '../tools/schema/strategies';
import type { JsonSchema } from '../tools/tool';

/**
 * A schema that Chrome's constrained decoding accepts, and xgrammar with it: one keyword it does not
 * know spoils the whole request. Validation afterwards is by the full schema.
 */
export function responseConstraint(schema: JsonSchema): JsonSchema {
  const plain = simplifySchema(resolveRefs(schema), { collapseNullable: false });
  return stripKeywords(plain, 'prompt-api');
}
