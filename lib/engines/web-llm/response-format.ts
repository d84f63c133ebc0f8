import type { Constraint, DialectId } from '../../agent/engine';
import type { CompactTool } from '../../tools/tool';
import { responseConstraint } from '../response-constraint';
import type { ChatRequest } from './package';

/** The constraint in xgrammar's terms; `undefined` where there is none for the dialect. */
export function responseFormat(constraint: Constraint | undefined): ChatRequest['response_format'] {
  switch (constraint?.kind) {
    case 'json':
      return {
        type: 'json_object',
        schema: JSON.stringify(responseConstraint(constraint.schema)),
      };
    case 'calls': {
      const shape = TAGS[constraint.dialect];
      if (!shape || constraint.tools.length === 0) return undefined;
      return {
        type: 'structural_tag',
        structural_tag: JSON.stringify({
          type: 'structural_tag',
          // Free text until a call begins; from there on only what the tools take.
          format: {
            type: 'triggered_tags',
            triggers: [shape.trigger],
            tags: constraint.tools.map((tool) => ({ type: 'tag', ...shape.tag(tool) })),
          },
        }),
      };
    }
    case undefined:
      return undefined;
  }
}

interface Tag {
  begin: string;
  content: { type: 'json_schema' | 'qwen_xml_parameter'; json_schema: unknown };
  end: string;
}

const TAGS: Readonly<Partial<Record<DialectId, { trigger: string; tag(tool: CompactTool): Tag }>>> =
  {
    hermes: {
      trigger: '<tool_call>',
      tag: (tool) => ({
        begin: `<tool_call>\n{"name": ${JSON.stringify(tool.name)}, "arguments": `,
        content: { type: 'json_schema', json_schema: responseConstraint(tool.parameters) },
        end: '}\n</tool_call>',
      }),
    },
    'qwen-xml': {
      trigger: '<tool_call>',
      tag: (tool) => ({
        begin: `<tool_call>\n<function=${tool.name}>\n`,
        content: { type: 'qwen_xml_parameter', json_schema: responseConstraint(tool.parameters) },
        end: '\n</function>\n</tool_call>',
      }),
    },
  };
