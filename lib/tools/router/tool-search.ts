import { isRecord, ownValue } from '../own-data';
import type { JsonObject } from '../tool';
import { fail } from './error';
import { TOOL_FORMATS, type ToolFormat } from './formats';
import { integerOption, requireOptions } from './option-checks';
import type { ToolRouter } from './router';

export interface CreateToolSearchOptions {
  /** The shape of the definition. Default `'canonical'`. */
  target?: ToolFormat;
  /** Default `'search_tools'`. */
  name?: string;
  description?: string;
  /** Matches where the caller names no limit, 1 to 25. Default 5. */
  limit?: number;
}

export interface ToolSearchSummary {
  readonly id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly score: number | null;
}

export interface ToolSearchResult {
  readonly query: string;
  readonly catalogSize: number;
  readonly tools: readonly ToolSearchSummary[];
}

/** A tool by which a model finds tools: its definition for the request, and what answers its calls. */
export interface ToolSearchHelper {
  readonly definition: JsonObject;
  /** Summaries without schemas. Throws `ERR_TOOL_QUERY` for arguments that do not fit the definition. */
  execute(input: { query: string; limit?: number }): ToolSearchResult;
}

const MAX_LIMIT = 25;

/** A search over `router` as a function a model can call, written for one provider. */
export function createToolSearch<T>(
  router: ToolRouter<T>,
  options: CreateToolSearchOptions = {},
): ToolSearchHelper {
  const given: unknown = router;
  if (!isRecord(given) || typeof given.search !== 'function') {
    fail('ERR_TOOL_ROUTER', 'createToolSearch requires a router made by createToolRouter');
  }
  requireOptions(options, 'Search tool options');
  const {
    target = 'canonical',
    name = 'search_tools',
    description = 'Find the smallest set of available tools for a capability or task.',
  } = options;
  if (typeof name !== 'string' || name === '') {
    fail('ERR_TOOL_NAME', 'Search tool name must be a non-empty string');
  }
  if (typeof description !== 'string') {
    fail('ERR_TOOL_DEFINITION', 'Search tool description must be a string');
  }
  const usual = integerOption(options.limit, 5, 'limit', 1, MAX_LIMIT);
  return Object.freeze({
    definition: definitionFor(target, name, description),
    execute(input: unknown) {
      const { query, limit } = readInput(input, usual);
      const summaries = router.search(query, { limit }).map(({ record, score }) =>
        Object.freeze({
          id: record.id,
          name: record.name,
          namespace: record.namespace || undefined,
          description: record.description,
          tags: record.tags,
          score,
        }),
      );
      return Object.freeze({
        query,
        catalogSize: router.size,
        tools: Object.freeze(summaries),
      });
    },
  });
}

function readInput(input: unknown, usual: number): { query: string; limit: number } {
  const query = isRecord(input) ? ownValue(input, 'query') : undefined;
  if (typeof query !== 'string' || query === '') {
    fail('ERR_TOOL_QUERY', 'Search tool input.query must be a non-empty string');
  }
  const limit = isRecord(input) ? (ownValue(input, 'limit') ?? usual) : usual;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    fail('ERR_TOOL_QUERY', `Search tool input.limit must be an integer between 1 and ${MAX_LIMIT}`);
  }
  return { query, limit };
}

function definitionFor(target: ToolFormat, name: string, description: string): JsonObject {
  const parameters: JsonObject = {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        minLength: 1,
        description: 'The capability, action, service or thing the task needs.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: MAX_LIMIT,
        description: 'Most tools to return.',
      },
    },
    required: ['query'],
    additionalProperties: false,
  };
  switch (target) {
    case 'openai-chat':
      return { type: 'function', function: { name, description, parameters } };
    case 'openai-responses':
      return { type: 'function', name, description, parameters };
    case 'anthropic':
      return { name, description, input_schema: parameters };
    case 'gemini':
      return { name, description, parameters };
    case 'canonical':
    case 'mcp':
      return { name, description, inputSchema: parameters };
    default:
      return fail(
        'ERR_TOOL_FORMAT',
        `Unsupported search tool target: ${String(target)}; use one of ${TOOL_FORMATS.join(', ')}`,
      );
  }
}
