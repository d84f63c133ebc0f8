/** `CacheStorage` in memory, as far as models use it. */
export function createFakeCaches(): CacheStorage {
  const caches = new Map<string, Map<string, Blob>>();
  const open = async (name: string) => {
    const entries = caches.get(name) ?? new Map<string, Blob>();
    caches.set(name, entries);
    const key = (request: RequestInfo | URL) =>
      request instanceof Request ? request.url : String(request);
    return {
      match: async (request: RequestInfo | URL) => {
        const blob = entries.get(key(request));
        return blob && new Response(blob);
      },
      put: async (request: RequestInfo | URL, response: Response) => {
        entries.set(key(request), await response.blob());
      },
      keys: async () => [...entries.keys()].map((url) => new Request(url)),
      delete: async (request: RequestInfo | URL) => entries.delete(key(request)),
    };
  };
  return { open } as unknown as CacheStorage;
}
