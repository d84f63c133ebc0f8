import * as z from 'zod';
import type { JsonValue } from '../../lib/tools/tool';

const Json = z.json();

/** Event fields typed `unknown` hold JSON; what does not is shown as nothing rather than trusted. */
export function asJson(value: unknown): JsonValue {
  const parsed = Json.safeParse(value);
  return parsed.success ? parsed.data : null;
}
