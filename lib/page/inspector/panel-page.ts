const PAGE = '/devtools-panel.html';

/** Address of the DevTools panel of a tab: by it anybody can tell which tabs are inspected. */
export const panelPage = (tabId: number) => `${PAGE}?tab=${tabId}`;

/** The tab that a context of the extension is the panel of. */
export function tabOfPanel(address: string): number | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.pathname !== PAGE) return undefined;
  const tab = Number(url.searchParams.get('tab') ?? Number.NaN);
  return Number.isInteger(tab) ? tab : undefined;
}
