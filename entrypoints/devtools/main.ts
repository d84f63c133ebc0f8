import { browser } from 'wxt/browser';
import { panelPage } from '../../lib/page/inspector/panel-page';

const { panels, inspectedWindow } = browser.devtools;
panels.create('Pagehand', 'icon/16.png', panelPage(inspectedWindow.tabId));
