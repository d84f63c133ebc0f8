import { browser } from 'wxt/browser';

browser.devtools.panels.create('Pagehand', 'icon/16.png', 'devtools-panel.html');
