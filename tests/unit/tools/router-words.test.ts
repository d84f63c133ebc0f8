import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenize } from '../../../lib/tools/text/tokenize';
import { normalizeText, splitWords } from '../../../lib/tools/text/words';

describe('splitWords', () => {
  it('splits identifiers as people write them', () => {
    expect(splitWords('addToCart add_to_cart add-to.cart')).toEqual([
      ...['add', 'to', 'cart', 'add', 'to', 'cart', 'add', 'to', 'cart'],
    ]);
    expect(splitWords('parseHTTPHeader base64Encode 3D mp3 v2')).toEqual([
      ...['parse', 'http', 'header', 'base64', 'encode', '3d', 'mp3', 'v2'],
    ]);
  });

  it('keeps contractions whole and folds accents', () => {
    expect(splitWords("what's the user's 'name'")).toEqual(['whats', 'the', 'users', 'name']);
    expect(splitWords('what’s Crème brûlée')).toEqual(['whats', 'creme', 'brulee']);
    expect(splitWords('ﬁle ＡＰＩ')).toEqual(['file', 'api']);
  });

  const isSame = (text: string) => splitWords(text).join(' ') === normalizeText(text);

  it('reads plain text exactly as the general rule does', () => {
    const piece = fc.constantFrom('a', 'bc', 'D', 'EF', '7', '42', "'", ' ', '_', '.', '-', '(');
    const text = fc.array(piece, { maxLength: 16 }).map((pieces) => pieces.join(''));
    fc.assert(fc.property(text, isSame), { numRuns: 200 });
  });

  it('reads any text as the general rule does', () => {
    const text = fc.array(fc.nat(0xffff)).map((codes) => String.fromCharCode(...codes));
    fc.assert(fc.property(text, isSame));
  });
});

describe('tokenize', () => {
  it('leaves out single letters', () => {
    expect(tokenize('a I x')).toEqual([]);
    expect(tokenize('createPullRequest v2')).toEqual(['create', 'pull', 'request', 'v2']);
  });

  it('finds words inside text written without spaces', () => {
    const tokens = tokenize('搜索文件');
    expect(tokens).toEqual(expect.arrayContaining(['搜索文件', '搜索', '索文', '文件', '件']));
    expect(tokenize('iPhone手机')).toEqual(expect.arrayContaining(['phone', '手机']));
  });

  it('cuts long tokens, never through a character, and refuses odd limits', () => {
    expect(tokenize('abcdefgh', { maxTokenLength: 4 })).toEqual(['abcd']);
    expect(() => tokenize('x', { maxTokenLength: 1 })).toThrow(/maxTokenLength/);
  });

  it('takes nothing but strings for text', () => {
    for (const odd of [undefined, null, 42, {}, ['text']]) expect(tokenize(odd)).toEqual([]);
  });
});
