import type { CompactTool, JsonSchema } from '../tool';
import { type Compacted, compactToFit, type Rung } from './compaction';
import { liftSurface } from './merge';
import { resolveRefs } from './resolve';
import { simplifySchema } from './simplify';
import { clipBytes, jsonBytes } from './size';
import { keepsNullable, type SchemaStrategy, stripKeywords } from './strategies';
import { strictSchema } from './strict';

export interface SchemaCompaction {
  /** Longest tool description, in bytes of UTF-8, `…` included. */
  maxDescriptionBytes?: number;
  /** Largest schema, in bytes of compact JSON. */
  maxSchemaBytes?: number;
}

/**
 * How schemas are rewritten before a model sees them. Only for its eyes: a call is always judged by
 * the schema the page declared, which may be stricter (compaction removes constraints) or looser
 * (`strict` adds some).
 */
export interface SchemaPreparation {
  /** Inline local `$ref`s and drop the definition tables. Default true. */
  resolve?: boolean;
  /** Whose reading to write for; absent keeps every keyword and form. */
  strategy?: SchemaStrategy;
  /** Require every property and forbid others. */
  strict?: boolean;
  compaction?: SchemaCompaction;
}

/** The budget for tools that somebody else wrote: 5 000 bytes of schema, 1 000 of description. */
export const THIRD_PARTY: SchemaCompaction = { maxSchemaBytes: 5_000, maxDescriptionBytes: 1_000 };

export interface Prepared {
  tool: CompactTool;
  /** How far the schema had to be shrunk. */
  rung: Rung;
  bytes: number;
}

/** What preparing starts from: a tool whose schema `guardSchema` let through. */
export interface Preparable {
  name: string;
  description: string;
  schema: JsonSchema;
}

/**
 * A tool as it is written to the model: references resolved, forms simplified, made strict, stripped
 * of what the reader cannot take, and shrunk to its budget, in that order.
 */
export function prepareTool(tool: Preparable, preparation: SchemaPreparation = {}): Prepared {
  const { schema, rung, bytes } = prepareSchema(tool.schema, preparation);
  const clip = preparation.compaction?.maxDescriptionBytes;
  const description = clip === undefined ? tool.description : clipBytes(tool.description, clip);
  return { tool: { name: tool.name, description, parameters: schema }, rung, bytes };
}

/** The schema's part of {@link prepareTool}. */
export function prepareSchema(schema: JsonSchema, preparation: SchemaPreparation = {}): Compacted {
  const { strategy, compaction } = preparation;
  let node = preparation.resolve === false ? schema : resolveRefs(schema);
  if (strategy !== undefined) {
    node = simplifySchema(node, { collapseNullable: !keepsNullable(strategy) });
    node = { ...liftSurface(node), type: 'object' };
    node['properties'] ??= {};
  }
  if (preparation.strict === true) node = strictSchema(node);
  if (strategy !== undefined) node = stripKeywords(node, strategy);
  const max = compaction?.maxSchemaBytes;
  if (max !== undefined) return compactToFit(node, max);
  return { schema: node, rung: 'whole', bytes: jsonBytes(node) };
}
