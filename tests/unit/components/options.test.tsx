// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Options } from '../../../components/options/Options';
import { createOptions, readSettingsFile } from '../../../components/options/page';
import { ENGINES } from '../../../entrypoints/gallery/fixtures/engines';
import type { GivenApproval } from '../../../lib/messages/host-api';
import { Settings } from '../../../lib/settings/settings';
import { speakEnglish } from './english';
import { fakeHost } from './fake-host';

const GIVEN: GivenApproval = {
  id: 'a1',
  toolName: 'add_to_cart',
  origin: 'https://shop.example',
  conversationId: 'c1',
  at: 0,
};

function open(start: Partial<Settings> = {}) {
  let approvals = [GIVEN];
  const host = fakeHost({
    describeEngines: () => ENGINES,
    storage: () => ({ usage: 1_000_000_000, quota: 5_000_000_000, persisted: false }),
    listApprovals: () => approvals,
    revokeApproval: () => {
      approvals = [];
      return null;
    },
    clearAll: () => null,
    loadEngine: () => null,
    deleteModel: () => null,
  });
  let settings = Settings.parse(start);
  const saved: { name: string; text: string }[] = [];
  const { state, intents } = createOptions(
    {
      host: host.client,
      updateSettings: async (change) => {
        settings = Settings.parse(change(settings));
        return settings;
      },
      followSettings: (listener) => listener(settings),
      readMachine: async () => ({ cores: 2 }),
      save: (name, text) => saved.push({ name, text }),
      importModel: async () => 'file:x.gguf',
    },
    new AbortController().signal,
  );
  const View = () => <Options state={state.value} intents={intents} />;
  return { ...render(<View />), host, state, intents, saved, settings: () => settings };
}

describe('the options page', () => {
  beforeEach(speakEnglish);
  afterEach(cleanup);

  test('shows storage used and free, and that the browser may delete it', async () => {
    const { findByText, container } = open();
    await findByText('1 GB used, 4 GB free');
    expect(container.textContent).toContain('The browser may delete it');
    expect(container.textContent).toContain('no WebGPU');
  });

  test('a model is downloaded only by a click on its size', async () => {
    const { findByLabelText, host, settings } = open();
    const button = await findByLabelText('SmolLM2 360M: Download 386 MB');
    expect(host.askedFor('loadEngine')).toEqual([]);
    fireEvent.click(button);
    await waitFor(() =>
      expect(host.askedFor('loadEngine')).toEqual([{ engine: 'wllama', model: 'smollm2-360m-q8' }]),
    );
    await waitFor(() =>
      expect(settings()).toMatchObject({
        engine: 'wllama',
        models: { wllama: 'smollm2-360m-q8' },
      }),
    );
  });

  test('models that cannot run are folded away, with the reason', async () => {
    const { findByText, container } = open();
    await findByText('1 model cannot run here');
    expect(container.querySelector('[data-model="Hermes-3-Llama-3.1-8B-q4f16_1-MLC"]')).toBeNull();
  });

  test('an installed model is deleted', async () => {
    const { findAllByLabelText, host } = open();
    const buttons = await findAllByLabelText('Delete Qwen3 1.7B');
    fireEvent.click(buttons[0] as HTMLElement);
    await waitFor(() =>
      expect(host.askedFor('deleteModel')).toEqual([
        { engine: 'web-llm', model: 'Qwen3-1.7B-q4f16_1-MLC' },
      ]),
    );
  });

  test('an approval is revoked', async () => {
    const { findByLabelText, findByText } = open();
    fireEvent.click(await findByLabelText('Revoke add_to_cart'));
    await findByText('You allowed no tool for longer than one call.');
  });

  test('clearing everything asks first, with the focus on Cancel', async () => {
    const { getByText, getAllByText, host } = open();
    fireEvent.click(getByText('Clear everything'));
    expect(host.askedFor('clearAll')).toEqual([]);
    expect(document.activeElement).toBe(getByText('Cancel'));
    fireEvent.click(getAllByText('Clear everything').at(-1) as HTMLElement);
    await waitFor(() => expect(host.askedFor('clearAll')).toHaveLength(1));
  });

  test('theme, language and history are kept at once', async () => {
    const { getByTestId, getByLabelText, settings } = open();
    fireEvent.change(getByTestId('theme'), { target: { value: 'dark' } });
    await waitFor(() => expect(settings().theme).toBe('dark'));
    fireEvent.change(getByTestId('language'), { target: { value: 'ar' } });
    await waitFor(() => expect(settings().language).toBe('ar'));
    fireEvent.change(getByTestId('language'), { target: { value: '' } });
    await waitFor(() => expect(settings().language).toBeUndefined());
    fireEvent.change(getByLabelText('Keep conversations for'), { target: { value: '30' } });
    await waitFor(() => expect(settings().keepHistoryDays).toBe(30));
  });

  test('a mirror that is no web address is not kept', async () => {
    const { getByLabelText, getByText, settings } = open();
    const field = getByLabelText('Download models from');
    fireEvent.input(field, { target: { value: 'javascript:alert(1)' } });
    fireEvent.blur(field);
    expect(getByText(/This is not a web address/)).toBeTruthy();
    expect(settings().modelBaseUrl).toBeUndefined();
    fireEvent.input(field, { target: { value: 'https://models.example/' } });
    fireEvent.blur(field);
    await waitFor(() => expect(settings().modelBaseUrl).toBe('https://models.example/'));
  });

  test('a site is added, given a recipe that is checked, and forgotten', async () => {
    const { getByLabelText, getByText, container, settings } = open();
    const address = getByLabelText('Address of a site');
    fireEvent.input(address, { target: { value: 'shop.example/some/page' } });
    fireEvent.submit(address.closest('form') as HTMLFormElement);
    await waitFor(() => expect(Object.keys(settings().sites)).toEqual(['https://shop.example']));
    const fold = await waitFor(() => {
      const found = [...container.querySelectorAll('details')].at(-1);
      if (!found?.textContent?.includes('https://shop.example')) throw new Error('no site');
      return found;
    });
    act(() => {
      fold.open = true;
      fold.dispatchEvent(new Event('toggle'));
    });
    const recipe = await waitFor(() => getByLabelText('Recipe (JSON)'));
    fireEvent.input(recipe, { target: { value: '{"requires": 3}' } });
    fireEvent.blur(recipe);
    expect(getByText(/Not kept: requires/)).toBeTruthy();
    fireEvent.input(recipe, { target: { value: '{"requires": {"pay": ["cart"]}}' } });
    fireEvent.blur(recipe);
    await waitFor(() =>
      expect(settings().sites['https://shop.example']?.recipe).toEqual({
        requires: { pay: ['cart'] },
      }),
    );
    fireEvent.click(getByText('Forget this site'));
    await waitFor(() => expect(settings().sites).toEqual({}));
  });

  test('settings go out as a file and come back', async () => {
    const { intents, saved, settings } = open({ theme: 'dark', keepHistoryDays: 7 });
    intents.exportSettings();
    const text = saved[0]?.text ?? '';
    const other = open();
    other.intents.importSettings(text);
    await waitFor(() => expect(other.settings()).toEqual(settings()));
  });

  test.each([
    '',
    '{',
    '[]',
    '{"theme":"pink","sites":{}}',
    '{"theme":"dark"}',
    '{"sites":{"a":{"defer":"x"}}}',
  ])('a file that is not settings changes nothing: %j', async (text) => {
    const { intents, findByRole, settings } = open({ theme: 'dark' });
    intents.importSettings(text);
    expect((await findByRole('alert')).textContent).toMatch(/not JSON|not Pagehand settings/);
    expect(settings().theme).toBe('dark');
    expect(() => readSettingsFile(text)).toThrow();
  });
});
