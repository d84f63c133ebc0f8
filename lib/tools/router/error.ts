/** What can be wrong with what a router is given; stable, so that callers may branch on it. */
export type ToolRouterErrorCode =
  | 'ERR_TOOL_CATALOG'
  | 'ERR_TOOL_CATALOG_SIZE'
  | 'ERR_TOOL_CYCLIC'
  | 'ERR_TOOL_DEFINITION'
  | 'ERR_TOOL_DUPLICATE'
  | 'ERR_TOOL_FORMAT'
  | 'ERR_TOOL_NAME'
  | 'ERR_TOOL_QUERY'
  | 'ERR_TOOL_QUERY_SIZE'
  | 'ERR_TOOL_ROUTER'
  | 'ERR_TOOL_ROUTER_OPTION'
  | 'ERR_TOOL_SCHEMA_DEPTH'
  | 'ERR_TOOL_SCHEMA_SIZE'
  | 'ERR_TOOL_TEXT_SIZE'
  | 'ERR_TOOL_TOKENIZER'
  | 'ERR_TOOL_VALUE_DEPTH'
  | 'ERR_TOOL_VALUE_SIZE'
  | 'ERR_TOOL_VALUE_TYPE';

/** Every complaint of the router. The message names what is wrong and what is allowed instead. */
export class ToolRouterError extends Error {
  override readonly name = 'ToolRouterError';
  readonly code: ToolRouterErrorCode;
  readonly details?: unknown;

  constructor(code: ToolRouterErrorCode, message: string, details?: unknown) {
    super(message);
    this.code = code;
    if (details !== undefined) this.details = details;
  }
}

export function fail(code: ToolRouterErrorCode, message: string, details?: unknown): never {
  throw new ToolRouterError(code, message, details);
}
