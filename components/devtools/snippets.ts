import type { JsonObject, ToolDescriptor } from '../../lib/tools/tool';

/** The tool as code that registers it; its work is left to write. */
export function registerSnippet(tool: ToolDescriptor): string {
  const definition = {
    name: tool.name,
    ...(tool.title ? { title: tool.title } : {}),
    description: tool.description,
    inputSchema: tool.inputSchema ?? { type: 'object', properties: {} },
    ...(tool.annotations ? { annotations: tool.annotations } : {}),
  };
  const body = JSON.stringify(definition, null, 2).slice(2, -2);
  return `document.modelContext.registerTool({\n${body},\n  async execute(args) {\n    // …\n  },\n});\n`;
}

/** The call as code for the page's console. */
export function executeSnippet(name: string, args: JsonObject): string {
  return [
    'const tools = await document.modelContext.getTools();',
    `const tool = tools.find(({ name }) => name === ${JSON.stringify(name)});`,
    `await document.modelContext.executeTool(tool, ${JSON.stringify(args)});`,
    '',
  ].join('\n');
}
