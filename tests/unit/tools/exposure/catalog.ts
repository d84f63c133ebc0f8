import { chooseTools } from '../../../../lib/tools/exposure/choose';
import type { ChooseRequest } from '../../../../lib/tools/exposure/request';
import { DEFAULT_SITE } from '../../../../lib/tools/exposure/rules';
import type { JsonSchema, PageTool } from '../../../../lib/tools/tool';

/** A tool of the page under test; give what matters to the example. */
export function pageTool(name: string, given: Partial<PageTool> = {}): PageTool {
  const documentId = given.documentId ?? 'doc';
  return {
    key: `${documentId}/${name}`,
    name,
    description: `Does ${name.replaceAll('_', ' ')}.`,
    origin: 'https://shop.test',
    documentId,
    frameId: 0,
    surface: 'native',
    ...given,
  };
}

export const object = (properties: JsonSchema, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});

/** A step on a small window, with a ranker that finds nothing unless the example brings one. */
export const choose = (given: Partial<ChooseRequest> & Pick<ChooseRequest, 'tools'>) =>
  chooseTools({
    site: () => DEFAULT_SITE,
    ask: 'do something',
    ranker: () => [],
    window: 4_096,
    instructions: 300,
    history: 200,
    reply: 512,
    ...given,
  });
