// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/preact';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { linkTarget } from '../../../components/chat/links';
import { Markdown } from '../../../components/chat/Markdown';
import { speakEnglish } from './english';

const draw = (text: string) => render(<Markdown text={text} />).container;

/** Everything Markdown may become; nothing that loads, runs or submits. */
const ALLOWED = new Set(
  'A,BLOCKQUOTE,BR,BUTTON,CODE,DEL,DIV,EM,H3,H4,H5,H6,HR,INPUT,LI,OL,P,PATH,PRE,RECT,SECTION,SPAN,STRONG,SVG,TABLE,TBODY,TD,TH,THEAD,TR,UL'.split(
    ',',
  ),
);

function strangers(root: Element): string[] {
  return [...root.querySelectorAll('*')]
    .filter((element) => !ALLOWED.has(element.tagName.toUpperCase()))
    .map((element) => element.outerHTML);
}

describe('model text as Markdown', () => {
  beforeEach(speakEnglish);
  afterEach(cleanup);

  test('draws headings, lists, tables, quotes, emphasis and code', () => {
    const root = draw(
      '# Head\n\n- a\n- **b**\n\n1. one\n2. two\n\n> quote\n\n| x | y |\n|---|---|\n| 1 | *2* |\n\n`code` ~~old~~\n\n```js\nlet a = "<b>";\n```',
    );
    expect(root.querySelector('h3')?.textContent).toBe('Head');
    expect([...root.querySelectorAll('ul > li')].map((li) => li.textContent)).toEqual(['a', 'b']);
    expect(root.querySelectorAll('ol > li')).toHaveLength(2);
    expect(root.querySelector('blockquote')?.textContent).toContain('quote');
    expect([...root.querySelectorAll('td')].map((td) => td.textContent)).toEqual(['1', '2']);
    expect(root.querySelector('p > code')?.textContent).toBe('code');
    expect(root.querySelector('del')?.textContent).toBe('old');
    expect(root.querySelector('pre code')?.textContent).toBe('let a = "<b>";');
    expect(strangers(root)).toEqual([]);
  });

  test('HTML stays text', () => {
    const root = draw(
      '<img src=x onerror=alert(1)> and <script>alert(1)</script>\n\n<iframe src=x>',
    );
    expect(root.textContent).toContain('<img src=x onerror=alert(1)>');
    expect(root.textContent).toContain('<iframe src=x>');
    expect(strangers(root)).toEqual([]);
  });

  test('an image becomes a link with its words; nothing is loaded', () => {
    const root = draw('![A cat](https://evil.example/track.png?me=1)');
    expect(root.querySelector('img')).toBeNull();
    expect(root.querySelector('a')?.textContent).toBe('A cat (evil.example)');
  });

  test('a link says where it goes and opens in a tab of its own', () => {
    const link = draw('[your bank](https://evil.example/login)').querySelector('a');
    expect(link?.textContent).toBe('your bank (evil.example)');
    expect(link?.getAttribute('href')).toBe('https://evil.example/login');
    expect(link?.getAttribute('title')).toBe('https://evil.example/login');
    expect(link?.getAttribute('target')).toBe('_blank');
    expect(link?.getAttribute('rel')).toBe('noopener noreferrer');
  });

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'chrome-extension://abc/options.html',
    'file:///etc/passwd',
    '/options.html',
    '//evil.example/x',
    'https://user:secret@evil.example/',
    'https://shop.example@evil.example/',
    `https://a.example/${'x'.repeat(3000)}`,
  ])('%s becomes no link', (address) => {
    expect(linkTarget(address)).toBeNull();
    expect(draw(`[click](<${address}>)`).querySelector('a')).toBeNull();
  });

  test('mail addresses and web addresses are links', () => {
    expect(linkTarget('mailto:a@b.example')?.place).toBe('a@b.example');
    expect(linkTarget('http://b.example:8080/x')?.place).toBe('b.example:8080');
  });

  test('a place that is the link’s own words is said once', () => {
    expect(draw('Write to ann@b.example.').textContent).toBe('Write to ann@b.example.');
    expect(draw('[Ann](mailto:ann@b.example)').textContent).toBe('Ann (ann@b.example)');
    expect(draw('[a@b.example](mailto:c@d.example)').textContent).toBe('a@b.example (c@d.example)');
  });

  test('entities are read once', () => {
    expect(draw('fish &amp; chips &lt;b&gt; &amp;lt;').textContent).toBe('fish & chips <b> &lt;');
  });

  test.each([
    ['100 000 nested quotes', '>'.repeat(100_000)],
    ['quotes with blanks between', `${'>   '.repeat(12)}x\n`.repeat(20)],
    ['a long piece that is nearly an address', `${'a.'.repeat(19_000)}@`],
    ['deep nested quotes', `${'> '.repeat(3000)}x`],
    ['deep nested lists', Array.from({ length: 300 }, (_, i) => `${'  '.repeat(i)}- x`).join('\n')],
    ['open brackets', '['.repeat(20_000)],
    ['a very long text', 'word '.repeat(50_000)],
  ])('%s do no harm', (_, text) => {
    const root = draw(text);
    expect(root.textContent?.length).toBeGreaterThan(0);
    expect(strangers(root)).toEqual([]);
  });

  test('whatever is written, only allowed elements and addresses come out', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<img src=x onerror=y>',
        '<svg/onload=1>',
        '[a](javascript:1)',
        '![b](data:x)',
        '<javascript:alert(1)>',
        '[r]: javascript:1\n[r]',
        '```html\n<b>',
        '| a |\n|-|\n| <i> |',
        '- [x] ',
        '\n\n',
        '**',
        '> ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const root = draw(pieces.join(''));
        expect(strangers(root)).toEqual([]);
        for (const link of root.querySelectorAll('a')) {
          expect(link.getAttribute('href')).toMatch(/^(https?|mailto):/);
        }
        cleanup();
      }),
      { numRuns: 150 },
    );
  });
});
