import type { Engine } from '../agent/engine';
import type { CatalogView, ListedTool } from '../messages/host-api';
import { textOf } from '../said/said';
import { type Settings, siteSettings } from '../settings/settings';
import type { ToolEntry } from '../tools/exposure/entry';
import { presentationFor, presentEntry } from '../tools/exposure/presentation';
import { exposeTools } from '../tools/exposure/rules';
import { modelNames } from '../tools/names';
import { renderTool } from '../tools/render/listing';
import { listingFor } from '../tools/render/report';
import type { Catalog } from '../tools/tool';
import { dryRun } from './dry-run';

/** The tab's tools with what each costs and how it reaches the model, and the budget of a first step. */
export async function catalogView(
  catalog: Catalog,
  settings: Settings,
  engine: Engine,
  now: number,
): Promise<CatalogView> {
  const listing = listingFor(engine.contextWindow);
  const presentation = presentationFor(engine.contextWindow, listing);
  const entries = exposeTools(catalog.tools, [], {
    site: (origin) => siteSettings(settings, origin),
    names: modelNames(catalog.tools),
  });
  const listed = entries.flatMap((entry): ListedTool[] => {
    if (entry.source !== 'page') return [];
    const { tool } = entry;
    const compact = presentEntry(entry, presentation);
    const declared = {
      name: tool.name,
      description: tool.description,
      parameters: tool.inputSchema ?? {},
    };
    return [
      {
        tool,
        exposure: entry.exposure,
        exposureBy: decidedBy(entry),
        reason: { text: entry.reason, said: entry.said },
        compact,
        bytes: new TextEncoder().encode(JSON.stringify(declared)).length,
        tokens: engine.countTokens(renderTool(listing, compact)),
      },
    ];
  });
  const { chosen } = await dryRun(catalog, '', settings, engine, now);
  return { catalog, listed, budget: chosen?.budget, empty: emptiness(catalog) };
}

function decidedBy({ by }: ToolEntry): ListedTool['exposureBy'] {
  switch (by) {
    case 'user':
    case 'recipe':
    case 'site':
      return by;
    case 'page':
    case 'schema':
      return 'page';
    default:
      return 'auto';
  }
}

function emptiness(catalog: Catalog): CatalogView['empty'] {
  if (catalog.tools.length > 0) return undefined;
  const { obstacle = 'no-tools' } = catalog;
  const reason = obstacle === 'asleep' ? 'reload' : obstacle;
  const messages: Record<typeof reason, string> = {
    'no-page': 'There is no page here. Open one that offers tools.',
    restricted: 'The browser lets no extension look into this page. Open another one.',
    reload: 'This page was open before Pagehand was. Reload it to see its tools.',
    'no-tools': 'This page offers no tools.',
  };
  return { reason, message: textOf(catalog.notes[0] ?? messages[reason]) };
}
