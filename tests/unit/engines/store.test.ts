import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { EngineError, LoadProgress } from '../../../lib/agent/engine';
import { createModelStore, type ModelStore } from '../../../lib/engines/downloads/store';
import { writeGguf } from '../../fixtures/scripted-gguf/gguf-writer';
import { createFakeDisk, type FakeDisk } from './fakes/files';
import { createFakeWeb, type FakeWeb } from './fakes/server';

const URL_ = 'https://models.test/tiny.gguf';
const HUB = 'https://hub.test/owner/repo/resolve/main/tiny.gguf';
/** About 12,000 bytes, so that parts of 5,000 make three of it. */
const model = (fill = 1, split?: { index: number; count: number }) =>
  writeGguf(
    {
      'general.architecture': { type: 'string', value: 'llama' },
      'general.name': { type: 'string', value: 'Tiny' },
      ...(split
        ? ({
            'split.no': { type: 'u32', value: split.index },
            'split.count': { type: 'u32', value: split.count },
          } as const)
        : {}),
    },
    [{ name: 't', dimensions: [3000], format: 'f32', values: new Float32Array(3000).fill(fill) }],
  );

let disk: FakeDisk;
let web: FakeWeb;
let store: ModelStore;
let space: { usage?: number; quota?: number };
let clock: number;
let waits: number[];
const never = new AbortController().signal;

function open(): ModelStore {
  return createModelStore({
    fetch: web.fetch,
    root: async () => disk.root,
    estimate: async () => space,
    persist: async () => true,
    now: () => (clock += 50),
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
    },
    partBytes: 5000,
  });
}

beforeEach(() => {
  disk = createFakeDisk();
  web = createFakeWeb();
  space = {};
  clock = 0;
  waits = [];
  web.files.set(URL_, { bytes: model(), etag: '"one"' });
  store = open();
});

async function download(
  url = URL_,
  options: { signal?: AbortSignal; progress?: LoadProgress[]; sha256?: string } = {},
): Promise<Uint8Array> {
  const blobs = await store.download(
    { id: url, label: 'Tiny', files: [{ url, sha256: options.sha256 }] },
    (p) => options.progress?.push(p),
    options.signal ?? never,
  );
  return new Uint8Array(await new Blob(blobs).arrayBuffer());
}
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as EngineError,
  );
const ranges = () => web.requests.map((request) => request.range);

describe('a download', () => {
  test('arrives whole, in parts that read as one file', async () => {
    expect(await download()).toEqual(model());
    const sizes = Object.entries(disk.files()).filter(([path]) => path.includes('part'));
    expect(sizes.map(([, size]) => size)).toEqual([5000, 5000, model().length - 10_000]);
  });

  test('says bytes, speed and time left, and only ever grows', async () => {
    const progress: LoadProgress[] = [];
    await download(URL_, { progress });
    const done = progress.map((p) => p.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(progress.at(-1)).toMatchObject({ phase: 'download', done: model().length });
    const timed = progress.find((p) => p.secondsLeft !== undefined && p.secondsLeft > 0);
    expect(timed?.bytesPerSecond).toBeGreaterThan(0);
    expect((timed?.bytesPerSecond ?? 0) * (timed?.secondsLeft ?? 0)).toBeCloseTo(
      (timed?.total ?? 0) - (timed?.done ?? 0),
    );
  });

  test('is made once', async () => {
    await download();
    await download();
    store = open(); // another page, or after a restart
    await download();
    expect(web.requests.length).toBe(1);
  });

  test('asked for twice at a time is one download', async () => {
    await Promise.all([download(), download()]);
    expect(web.requests.length).toBe(1);
  });

  test('waits for nobody else', async () => {
    web.files.set('https://models.test/other.gguf', { bytes: model(2) });
    web.next = [{ kind: 'stalls', after: 2000 }];
    const stop = new AbortController();
    const stuck = failure(download(URL_, { signal: stop.signal }));
    await vi.waitFor(() => expect(web.requests.length).toBe(1));
    expect(await download('https://models.test/other.gguf')).toEqual(model(2));
    stop.abort();
    await stuck;
  });
});

describe('a broken line', () => {
  test('is taken up where it broke', async () => {
    web.next = [{ kind: 'breaks', after: 7000 }];
    expect(await download()).toEqual(model());
    expect(ranges()).toEqual([undefined, 'bytes=7000-']);
  });

  test('that ends early without an error is noticed', async () => {
    web.next = [{ kind: 'ends', after: 3000 }];
    expect(await download()).toEqual(model());
    expect(ranges()).toEqual([undefined, 'bytes=3000-']);
  });

  test('that never comes back ends in words, and keeps what came', async () => {
    web.next = [
      { kind: 'breaks', after: 7000 },
      ...Array.from({ length: 9 }, () => ({ kind: 'offline' }) as const),
    ];
    const error = await failure(download());
    expect(error?.kind).toBe('download');
    expect(error?.message).toMatch(/models\.test could not be reached.*7\.0 kB are kept/);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    web.next = [];
    store = open();
    expect(await download()).toEqual(model());
    expect(ranges().at(-1)).toBe('bytes=7000-');
  });

  test('that gives a little each time is never given up', async () => {
    web.next = Array.from({ length: 11 }, () => ({ kind: 'breaks', after: 1000 }) as const);
    expect(await download()).toEqual(model());
  });

  test('that stalls is cut and begun again', async () => {
    vi.useFakeTimers();
    try {
      web.next = [{ kind: 'stalls', after: 4000 }];
      const whole = download();
      await vi.advanceTimersByTimeAsync(100_000);
      expect(await whole).toEqual(model());
      expect(ranges()).toEqual([undefined, 'bytes=4000-']);
    } finally {
      vi.useRealTimers();
    }
  });

  test('of a busy server waits as long as it asks', async () => {
    web.next = [{ kind: 'status', status: 429, headers: { 'retry-after': '7' } }];
    await download();
    expect(waits).toEqual([7000]);
  });
});

describe('Stop', () => {
  test('ends it at once, and the rest comes later', async () => {
    const stop = new AbortController();
    web.next = [{ kind: 'stalls', after: 6000 }];
    const stopped = failure(download(URL_, { signal: stop.signal }));
    await vi.waitFor(() => expect(web.stalled).toBe(1));
    stop.abort(new DOMException('stopped', 'AbortError'));
    expect(await stopped).toMatchObject({ name: 'AbortError' });
    expect(await store.get(URL_)).toMatchObject({ complete: false, bytes: 6000 });
    expect(await store.open(URL_)).toBeUndefined();
    expect(await download()).toEqual(model());
    expect(ranges()).toEqual([undefined, 'bytes=6000-']);
  });
});

describe('a server', () => {
  test('without ranges starts from the beginning, and the result is whole', async () => {
    web.next = [{ kind: 'breaks', after: 7000 }, { kind: 'no-ranges' }];
    expect(await download()).toEqual(model());
  });

  test('whose file changed meanwhile gives the new one, not a mixture', async () => {
    web.next = [{ kind: 'breaks', after: 7000 }, { kind: 'offline' }];
    web.files.set(URL_, { bytes: model(1), etag: '"one"' });
    const real = web.fetch;
    web.fetch = async (...args) => {
      if (web.requests.length === 1) web.files.set(URL_, { bytes: model(2), etag: '"two"' });
      return real(...args);
    };
    store = open();
    expect(await download()).toEqual(model(2));
  });

  test.each([
    [404, 'no such file'],
    [401, 'not public'],
    [403, 'not public'],
    [418, '418'],
  ])('that answers %i is not asked again', async (status, words) => {
    web.next = [{ kind: 'status', status }];
    const error = await failure(download());
    expect(error).toMatchObject({ kind: 'download', message: expect.stringContaining(words) });
    expect(web.requests.length).toBe(1);
  });

  test('that gives a page instead of a file is told so', async () => {
    web.next = [{ kind: 'html' }];
    expect((await failure(download()))?.message).toMatch(/web page, not a model/);
  });
});

describe('space', () => {
  test('is looked at before the first byte is written', async () => {
    space = { quota: 100_000_000, usage: 99_999_000 };
    const error = await failure(download());
    expect(error?.kind).toBe('storage');
    expect(error?.message).toMatch(/Tiny needs 12 kB, but this browser may use only 1\.0 kB more/);
    expect(Object.keys(disk.files()).some((path) => path.includes('part'))).toBe(false);
  });

  test('that runs out under way is said in words, and what came is kept', async () => {
    disk.capacity = 9000;
    const error = await failure(download());
    expect(error).toMatchObject({ kind: 'storage', message: expect.stringContaining('kept') });
    expect((await store.get(URL_))?.bytes).toBe(5000);
    disk.capacity = Number.POSITIVE_INFINITY;
    expect(await download()).toEqual(model());
    expect(ranges().at(-1)).toBe('bytes=5000-');
  });
});

describe('the check', () => {
  const sha256 = createHash('sha256').update(model()).digest('hex');
  const list = (oid: string, size = model().length) =>
    web.files.set('https://hub.test/api/models/owner/repo/tree/main', {
      bytes: new TextEncoder().encode(
        JSON.stringify([{ path: 'tiny.gguf', size, lfs: { oid, size } }]),
      ),
    });
  beforeEach(() => void web.files.set(HUB, { bytes: model() }));

  test('takes the size and hash that the hub lists', async () => {
    list(sha256);
    const progress: LoadProgress[] = [];
    await download(HUB, { progress });
    expect(progress.some((p) => p.phase === 'verify')).toBe(true);
  });

  test('a file with another hash is deleted, and said to be corrupt', async () => {
    list('f'.repeat(64));
    expect(await failure(download(HUB))).toMatchObject({ kind: 'corrupt' });
    expect(disk.files()).toEqual({});
  });

  test('a hub without a list, or with nonsense in it, is no obstacle', async () => {
    await download(HUB);
    await store.delete(HUB);
    web.files.set('https://hub.test/api/models/owner/repo/tree/main', {
      bytes: new TextEncoder().encode('{"error": [1'),
    });
    expect(await download(HUB)).toEqual(model());
  });

  test('a hash of the catalogue is enough', async () => {
    expect(await failure(download(URL_, { sha256: 'a'.repeat(64) }))).toMatchObject({
      kind: 'corrupt',
    });
  });

  test.each([
    ['cut off', () => model().subarray(0, 9000)],
    ['no GGUF', () => new Uint8Array(9000)],
    ['empty', () => new Uint8Array()],
  ])('a file that is %s is refused and deleted', async (_, bytes) => {
    web.files.set(URL_, { bytes: new Uint8Array(bytes()) });
    expect(await failure(download())).toMatchObject({ kind: 'corrupt' });
    expect(await store.list()).toEqual([]);
  });
});

describe('a split model', () => {
  const urls = [1, 2].map((n) => `https://models.test/big-0000${n}-of-00002.gguf`);
  const source = { id: 'big', label: 'Big', files: urls.map((url) => ({ url })) };

  test('comes as one, with one progress over all its files', async () => {
    urls.forEach((url, i) => {
      web.files.set(url, { bytes: model(i, { index: i, count: 2 }) });
    });
    const progress: LoadProgress[] = [];
    const blobs = await store.download(source, (p) => progress.push(p), never);
    expect(blobs.length).toBe(2);
    const both = blobs.reduce((sum, blob) => sum + blob.size, 0);
    expect(progress.at(-1)?.done).toBe(both);
    expect(await store.get('big')).toMatchObject({ complete: true, totalBytes: both });
  });

  test('of which only one part was given is explained', async () => {
    web.files.set(URL_, { bytes: model(1, { index: 0, count: 3 }) });
    const error = await failure(download());
    expect(error).toMatchObject({ kind: 'corrupt', message: expect.stringMatching(/part 1 of 3/) });
  });
});

describe('picked files', () => {
  const pick = (...files: File[]) => store.importFiles(files, () => {}, never);

  test('are copied into the store', async () => {
    const added = await pick(new File([model()], 'Mine.gguf'));
    expect(added).toMatchObject({ id: 'file:Mine.gguf', label: 'Tiny', complete: true });
    expect(web.requests).toEqual([]);
    const [blob] = (await store.open('file:Mine.gguf')) ?? [];
    expect(new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(model());
  });

  test('that are no model are refused before anything is copied', async () => {
    const error = await failure(pick(new File(['hello'], 'notes.gguf')));
    expect(error).toMatchObject({ kind: 'corrupt' });
    expect(disk.files()).toEqual({});
  });

  test('that do not fit leave nothing behind', async () => {
    disk.capacity = 9000;
    expect(await failure(pick(new File([model()], 'Mine.gguf')))).toMatchObject({
      kind: 'storage',
    });
    expect(await store.list()).toEqual([]);
  });
});

describe('the list', () => {
  test('has sizes, and forgets what was deleted', async () => {
    await download();
    expect(await store.list()).toMatchObject([
      { id: URL_, label: 'Tiny', bytes: model().length, complete: true },
    ]);
    await store.delete(URL_);
    expect(await store.list()).toEqual([]);
    expect(disk.files()).toEqual({});
    await expect(store.delete(URL_)).resolves.toBeUndefined();
  });

  test('does not call whole what the browser cleared in part', async () => {
    await download();
    const part = Object.keys(disk.files()).find((path) => path.endsWith('00001')) ?? '';
    const folder = await disk.root.getDirectoryHandle(part.split('/')[0] ?? '');
    await folder.removeEntry(part.split('/')[1] ?? '');
    expect(await store.list()).toMatchObject([{ complete: false, bytes: 5000 }]);
    expect(await download()).toEqual(model());
  });
});
