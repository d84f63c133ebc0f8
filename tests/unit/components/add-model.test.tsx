// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AddModel } from '../../../components/model/AddModel';
import { createOptions } from '../../../components/options/page';
import { Settings } from '../../../lib/settings/settings';
import { speakEnglish } from './english';
import { fakeHost } from './fake-host';

beforeEach(speakEnglish);
afterEach(cleanup);

describe('adding a GGUF model', () => {
  function show(copied?: { done: number; total: number }) {
    const intents = { addFiles: vi.fn(), choose: vi.fn(), cancel: vi.fn() };
    const importing = copied ? { phase: 'download' as const, ...copied } : null;
    render(<AddModel importing={importing} intents={intents} />);
    return intents;
  }
  const type = (text: string) =>
    fireEvent.input(screen.getByLabelText('Another GGUF model'), { target: { value: text } });

  test('takes an address', () => {
    const { choose } = show();
    type(' https://x.test/model.gguf?download=true ');
    fireEvent.click(screen.getByText('Download'));
    expect(choose).toHaveBeenCalledWith('wllama', 'https://x.test/model.gguf?download=true');
  });

  test.each(['model.gguf', 'https://x.test/page.html', 'file:///etc/m.gguf'])(
    'says what is wrong with %s',
    (text) => {
      const { choose } = show();
      type(text);
      fireEvent.click(screen.getByText('Download'));
      expect(choose).not.toHaveBeenCalled();
      expect(screen.getByText(/not the address of a GGUF file/)).toBeTruthy();
    },
  );

  test('takes files, and shows how far the copy is', () => {
    const { addFiles, cancel } = show({ done: 5_000_000, total: 10_000_000 });
    expect(screen.getByText('5 MB of 10 MB')).toBeTruthy();
    fireEvent.click(screen.getByText('Cancel'));
    expect(cancel).toHaveBeenCalled();
    const file = new File(['x'], 'mine.gguf');
    fireEvent.change(document.querySelector('input[type=file]') ?? expect.fail('no picker'), {
      target: { files: [file] },
    });
    expect(addFiles).toHaveBeenCalledWith([file]);
  });
});

test('a picked file is copied, chosen and loaded', async () => {
  const host = fakeHost({
    describeEngines: () => [],
    storage: () => ({ usage: 0, quota: 1, persisted: true }),
    listApprovals: () => [],
    loadEngine: () => null,
  });
  let settings = Settings.parse({});
  const { state, intents } = createOptions(
    {
      host: host.client,
      updateSettings: async (change) => (settings = change(settings)),
      followSettings: () => {},
      readMachine: async () => ({ cores: 1 }),
      save: () => {},
      importModel: async (files, progress) => {
        progress({ phase: 'download', done: 1, total: 1 });
        return `file:${files[0]?.name}`;
      },
    },
    new AbortController().signal,
  );
  intents.models.addFiles([new File(['x'], 'mine.gguf')]);
  await vi.waitFor(() =>
    expect(host.askedFor('loadEngine')).toEqual([{ engine: 'wllama', model: 'file:mine.gguf' }]),
  );
  await vi.waitFor(() =>
    expect(settings).toMatchObject({ engine: 'wllama', models: { wllama: 'file:mine.gguf' } }),
  );
  await vi.waitFor(() => expect(state.value.importing).toBeNull());
});

test('what answers goes on answering until the other model is there, and after a failure', async () => {
  let fail: (why: Error) => void = () => {};
  const host = fakeHost({
    describeEngines: () => [],
    storage: () => ({ usage: 0, quota: 1, persisted: true }),
    listApprovals: () => [],
    loadEngine: () => new Promise((_, reject) => (fail = reject)),
  });
  let settings = Settings.parse({});
  const { state, intents } = createOptions(
    {
      host: host.client,
      updateSettings: async (change) => (settings = change(settings)),
      followSettings: () => {},
      readMachine: async () => ({ cores: 1 }),
      save: () => {},
      importModel: async () => '',
    },
    new AbortController().signal,
  );
  intents.models.choose('wllama', 'big');
  await vi.waitFor(() => expect(host.askedFor('loadEngine')).toHaveLength(1));
  expect(settings.engine).toBe('instant');
  fail(new Error('No network.'));
  await vi.waitFor(() => expect(state.value.problem).toContain('No network.'));
  expect(settings.engine).toBe('instant');
});
