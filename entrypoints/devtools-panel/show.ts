import { browser } from 'wxt/browser';
import type { Place } from '../../lib/page/inspector/wire';

/** Opens a line in Sources; false where DevTools knows no such file. Its lines count from 0. */
export function openPlace({ url, line, column }: Place): Promise<boolean> {
  return new Promise((resolve) => {
    browser.devtools.panels.openResource(url, line - 1, column - 1, (...told: unknown[]) => {
      resolve(!(told[0] as { isError?: boolean } | undefined)?.isError);
    });
  });
}

/** Selects a form in Elements; false where it is gone. A form's tool has a name of `[\\w.-]` only. */
export async function inspectForm(tool: string, frameURL: string | undefined): Promise<boolean> {
  if (!/^[\w.-]{1,128}$/.test(tool)) return false;
  const find = `document.querySelector('form[toolname="${tool}"]')`;
  return new Promise((resolve) => {
    browser.devtools.inspectedWindow.eval(
      `{ const form = ${find}; if (form) inspect(form); !!form }`,
      frameURL === undefined ? {} : { frameURL },
      (found: unknown, failed: unknown) => resolve(found === true && !failed),
    );
  });
}
