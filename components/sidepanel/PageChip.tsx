import type { CatalogView } from '../../lib/messages/host-api';
import { Icon } from '../Icon';
import { plural, t } from '../text';
import type { PanelTab } from './ports';

interface PageChipProps {
  tab: PanelTab | null;
  catalog: CatalogView | null;
  onOpen: () => void;
}

/** Which page the conversation is about and how many tools it offers; opens their list. */
export function PageChip({ tab, catalog, onOpen }: PageChipProps) {
  const title = catalog?.catalog.title || tab?.title || hostOf(tab?.url) || t('noPage');
  const tools = catalog?.catalog.tools.length;
  return (
    <button
      type="button"
      class="page-chip"
      data-testid="page-chip"
      data-tools={tools}
      title={tab?.url}
      onClick={onOpen}
    >
      <Icon name="page" />
      <span class="page-title" dir="auto">
        {title}
      </span>
      {tools !== undefined && <span class="page-tools">{plural('tools', tools)}</span>}
    </button>
  );
}

function hostOf(url: string | undefined): string {
  if (!url) return '';
  try {
    return new URL(url).host;
  } catch {
    return '';
  }
}
