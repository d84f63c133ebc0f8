import { type ComponentChildren, render } from 'preact';
import type { Settings } from '../lib/settings/settings';
import { loadTexts } from './text';
import './styles/index.css';

/** Draws a view into the page's `#app`. */
export function mount(view: ComponentChildren): void {
  const root = document.getElementById('app');
  if (root) render(view, root);
}

/** Theme and language of an extension page; called again on every change of the settings. */
export async function applyAppearance(
  settings: Pick<Settings, 'theme' | 'language'>,
  browserLanguages: readonly string[],
): Promise<void> {
  document.documentElement.dataset['theme'] = settings.theme;
  await loadTexts(settings.language ? [settings.language] : browserLanguages);
}
