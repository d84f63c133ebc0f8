import type { ComponentChildren } from 'preact';
import type { ListedTool } from '../../lib/messages/host-api';
import { t } from '../text';
import { VirtualList } from '../VirtualList';

interface ToolRowsProps {
  listed: readonly ListedTool[];
  /** A row's usual height in pixels. */
  estimate: number;
  testId: string;
  children: (listed: ListedTool) => ComponentChildren;
}

/** The page's tools one below the other, however many there are. */
export function ToolRows({ listed, estimate, testId, children }: ToolRowsProps) {
  return (
    <VirtualList
      items={listed}
      keyOf={({ tool }) => tool.key}
      estimate={estimate}
      label={t('tabTools')}
      boxClass="tool-box"
      listClass="tool-list"
      testId={testId}
      marks={({ tool }) => ({ 'data-tool': tool.name })}
    >
      {children}
    </VirtualList>
  );
}
