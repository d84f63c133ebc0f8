import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLexicon } from '../../../lib/tools/router/index-lexicon';
import { countOf, createTermIndex, fieldOf, slotOf } from '../../../lib/tools/router/index-terms';
import { createToolRouter } from '../../../lib/tools/router/router';
import { routerCatalog as catalog } from './router-catalog';

const coded = (code: string) => expect.objectContaining({ code });

describe('a live catalog', () => {
  it('finds what was added and no longer what was removed', () => {
    const tools = catalog();
    const router = createToolRouter([tools[0]]);
    expect(router.add(tools[2])).toBe(router);
    expect(router.add([tools[1]]).size).toBe(3);
    expect(router.select('channel message')).toEqual([tools[2]]);
    expect(router.remove('chat:chat_send_message')).toBe(1);
    expect(router.remove(['repo_list_issues', 'gone'])).toBe(1);
    expect(router.search('channel message')).toEqual([]);
    expect(router.list().map(({ name }) => name)).toEqual(['repo_create_pull_request']);
  });

  it('is replaced and cleared as a whole', () => {
    const [first, second, third] = catalog();
    const router = createToolRouter([first]);
    router.replace({ tools: [second, third] });
    expect(router.has('repo_create_pull_request')).toBe(false);
    expect(router.get('repo:repo_list_issues')?.original).toBe(second);
    router.clear();
    const fields = { name: 0, namespace: 0, aliases: 0, tags: 0, description: 0, schema: 0 };
    expect(router.stats()).toEqual({ tools: 0, terms: 0, estimatedTokens: 0, fields });
  });

  it('goes by id first, then by name, the first id of several', () => {
    const router = createToolRouter([
      { id: 'b', name: 'same' },
      { id: 'a', name: 'same' },
      { id: 'same', name: 'other' },
    ]);
    expect(router.get('same')?.name).toBe('other');
    router.remove('same');
    expect(router.get('same')?.id).toBe('a');
    router.remove('a');
    expect(router.get('same')?.id).toBe('b');
    expect(router.has('other')).toBe(false);
  });

  it('refuses a taken id, or lets it take the place, as told', () => {
    const old = { name: 'same', description: 'first' };
    const young = { name: 'same', description: 'second' };
    const strict = createToolRouter([old]);
    expect(() => strict.add(young)).toThrow(coded('ERR_TOOL_DUPLICATE'));
    expect(strict.get('same')?.original).toBe(old);
    const lax = createToolRouter([old], { onDuplicate: 'replace' });
    expect(lax.add(young).get('same')?.original).toBe(young);
    expect(lax.search('first')).toEqual([]);
    expect(() => lax.add([old, young])).toThrow(coded('ERR_TOOL_DUPLICATE'));
  });

  it('stays as it was where a batch is refused', () => {
    const router = createToolRouter([{ name: 'kept' }], { maxTools: 2 });
    const before = router.stats();
    expect(() => router.add([{ name: 'fine' }, {} as { name: string }])).toThrow(
      coded('ERR_TOOL_FORMAT'),
    );
    expect(() => router.add([{ name: 'a' }, { name: 'b' }])).toThrow(
      coded('ERR_TOOL_CATALOG_SIZE'),
    );
    expect(() => router.replace([{ name: 'a' }, { name: '' }])).toThrow(coded('ERR_TOOL_NAME'));
    expect(router.stats()).toEqual(before);
    expect(router.search('kept')).toHaveLength(1);
  });

  it('ranks after any updates as one built at once', () => {
    const words = fc.array(fc.constantFrom('red', 'blue', 'cart', 'add', 'order', 'size'), {
      minLength: 1,
      maxLength: 6,
    });
    const tools = fc.uniqueArray(fc.record({ id: fc.nat(9).map(String), words }), {
      selector: ({ id }) => id,
      maxLength: 9,
    });
    const make = ({ id, words: [name = '', ...rest] }: { id: string; words: string[] }) => ({
      id,
      name,
      description: rest.join(' '),
    });
    fc.assert(
      fc.property(fc.array(tools, { minLength: 1, maxLength: 4 }), words, (batches, query) => {
        const live = createToolRouter<object>([], { onDuplicate: 'replace' });
        for (const batch of batches) {
          live.add(batch.map(make));
          live.remove(batch.slice(0, 2).map(({ id }) => id));
        }
        const fresh = createToolRouter(live.list().map(({ original }) => original));
        const ask = query.join(' ');
        const found = (router: typeof live) =>
          router.search(ask, { limit: 20 }).map(({ id, score }) => [id, score]);
        expect(found(live)).toEqual(found(fresh));
        expect(live.stats()).toEqual(fresh.stats());
      }),
      { numRuns: 60 },
    );
  });
});

describe('createTermIndex', () => {
  it('keeps postings by record and field, with counts', () => {
    const index = createTermIndex(2);
    index.add([
      ['a', 'b'],
      ['a', 'a'],
    ]);
    index.add([['b'], []]);
    const read = (term: string) =>
      index.postings(index.find(term)).map((p) => [slotOf(p), fieldOf(p), countOf(p)]);
    expect(read('a')).toEqual([
      [0, 0, 1],
      [0, 1, 2],
    ]);
    expect(read('b')).toEqual([
      [0, 0, 1],
      [1, 0, 1],
    ]);
    expect(index.averageLength(0)).toBe(1.5);
    expect(index.averageLength(1)).toBe(2);
    expect(index.find('c')).toBe(-1);
  });

  it('uses freed places again and forgets terms that nothing holds', () => {
    const index = createTermIndex(1);
    const lexicon = createLexicon(index);
    index.add([['stays', 'shared']]);
    for (let at = 0; at < 5_000; at++) {
      const slot = index.add([[`passing${at}`, 'shared']]);
      expect(slot).toBe(1);
      index.remove(slot);
    }
    expect(index.terms.length).toBeLessThan(2_500);
    expect(index.termCount).toBe(2);
    expect(index.documentFrequency(index.find('shared'))).toBe(1);
    expect(lexicon.startingWith('sta', 5).map((term) => index.terms[term])).toEqual(['stays']);
    expect(lexicon.startingWith('passing', 5)).toEqual([]);
  });
});

describe('createLexicon', () => {
  const lexicon = (...terms: string[]) => {
    const index = createTermIndex(1);
    for (const term of terms) index.add([[term]]);
    const found = createLexicon(index);
    return {
      startingWith: (word: string, limit = 9) =>
        found.startingWith(word, limit).map((term) => index.terms[term]),
      spelledLike: (word: string) =>
        found.spelledLike(word, 9).map(({ term, distance }) => [index.terms[term], distance]),
    };
  };

  it('completes words, the shortest first', () => {
    const words = lexicon('creation', 'create', 'credit', 'cart', 'created');
    expect(words.startingWith('crea')).toEqual(['create', 'created', 'creation']);
    expect(words.startingWith('crea', 1)).toEqual(['create']);
    expect(words.startingWith('cr')).toEqual([]);
  });

  it('corrects typos: a letter too many, too few, swapped or wrong', () => {
    const words = lexicon('message', 'massage', 'channel', 'slack', 'pull', 'organization');
    expect(words.spelledLike('mesage')).toEqual([['message', 1]]);
    expect(words.spelledLike('mssage')).toEqual([
      ['massage', 1],
      ['message', 1],
    ]);
    expect(words.spelledLike('chanenl')).toEqual([['channel', 1]]);
    expect(words.spelledLike('slak')).toEqual([['slack', 1]]);
    expect(words.spelledLike('orgnaizatoin')).toEqual([['organization', 2]]);
  });

  it('takes a short word with another letter for another word', () => {
    expect(lexicon('pull').spelledLike('pill')).toEqual([]);
    expect(lexicon('pull').spelledLike('plul')).toEqual([['pull', 1]]);
  });
});
