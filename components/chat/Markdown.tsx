import { marked, type Token, type Tokens } from 'marked';
import { type ComponentChildren, h } from 'preact';
import { useMemo } from 'preact/hooks';
import { CopyButton, ScrollBox } from '../controls';
import { t } from '../text';
import { linkTarget } from './links';

/**
 * Longer texts, and texts with a longer piece between two empty lines, are shown as they are: lexing is
 * not linear in such a piece for every text.
 */
const LONGEST = 40_000;
const LONGEST_PIECE = 5000;
const DEEPEST = 24;

/**
 * Model text as Markdown, made of elements from an allow-list. HTML in it stays text, images become
 * their words, links that may not open stay words: nothing is loaded and nothing is parsed as markup.
 */
export function Markdown({ text }: { text: string }) {
  const content = useMemo(() => renderMarkdown(text), [text]);
  return (
    <div class="markdown" dir="auto">
      {content}
    </div>
  );
}

export function renderMarkdown(text: string): ComponentChildren {
  if (text.length > LONGEST || isTangled(text)) return <pre class="plain">{text}</pre>;
  try {
    return blocks(marked.lexer(text, { gfm: true }), 0);
  } catch {
    // Thousands of nested quotes overflow the lexer's stack.
    return <pre class="plain">{text}</pre>;
  }
}

/** Quotes or lists nested deeper than anyone writes, on one line or by indentation. */
const MOST_MARKS = 12;
const MOST_INDENT = 40;
const MARK = /(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;
const EMPHASIS = /[*_~]+/g;
const MOST_EMPHASIS = 1500;

/** Whether lexing would take far longer than its length suggests. */
function isTangled(text: string): boolean {
  if ((text.match(EMPHASIS)?.length ?? 0) > MOST_EMPHASIS) return true;
  let piece = 0;
  for (const line of text.split('\n')) {
    piece = line.trim() === '' ? 0 : piece + line.length;
    if (piece > LONGEST_PIECE || isDeep(line)) return true;
  }
  return false;
}

function isDeep(line: string): boolean {
  let at = 0;
  const skipBlanks = () => {
    while (line[at] === ' ' || line[at] === '\t') at++;
  };
  skipBlanks();
  const indent = at;
  for (let marks = 0; marks <= MOST_MARKS; marks++) {
    MARK.lastIndex = at;
    const mark = MARK.exec(line)?.[0];
    if (mark === undefined) return false;
    if (indent >= MOST_INDENT && mark !== '>') return true;
    at += mark.length;
    skipBlanks();
  }
  return true;
}

function blocks(tokens: Token[], depth: number): ComponentChildren {
  if (depth > DEEPEST) return tokens.map((token) => token.raw).join('');
  return tokens.map((token) => block(token as Tokens.Generic & Token, depth + 1));
}

function block(token: Token, depth: number): ComponentChildren {
  switch (token.type) {
    case 'heading': {
      const { tokens, depth: level } = token as Tokens.Heading;
      // The answer stands under the panel's own headings.
      return h(`h${Math.min(6, level + 2)}`, null, inline(tokens, depth));
    }
    case 'paragraph':
      return <p>{inline((token as Tokens.Paragraph).tokens, depth)}</p>;
    case 'text': {
      const text = token as Tokens.Text;
      return text.tokens ? inline(text.tokens, depth) : entities(text.text);
    }
    case 'code': {
      const { text, lang } = token as Tokens.Code;
      return <CodeBlock text={text} language={lang ?? ''} />;
    }
    case 'blockquote':
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens, depth)}</blockquote>;
    case 'list':
      return list(token as Tokens.List, depth);
    case 'table':
      return table(token as Tokens.Table, depth);
    case 'hr':
      return <hr />;
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    default:
      return token.raw;
  }
}

function list(token: Tokens.List, depth: number): ComponentChildren {
  const items = token.items.map((item) => (
    <li>
      {item.task && (
        <input type="checkbox" checked={item.checked} disabled aria-label={t('taskState')} />
      )}
      {blocks(item.tokens, depth)}
    </li>
  ));
  if (!token.ordered) return <ul>{items}</ul>;
  return <ol start={token.start === '' ? undefined : token.start}>{items}</ol>;
}

function table(token: Tokens.Table, depth: number): ComponentChildren {
  return (
    <ScrollBox class="table-box" label={t('table')}>
      <table>
        <thead>
          <tr>
            {token.header.map((cell) => (
              <th scope="col">{inline(cell.tokens, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{inline(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function inline(tokens: Token[] | undefined, depth: number): ComponentChildren {
  if (!tokens) return null;
  if (depth > DEEPEST) return tokens.map((token) => token.raw).join('');
  return tokens.map((token) => span(token, depth + 1));
}

function span(token: Token, depth: number): ComponentChildren {
  switch (token.type) {
    case 'text': {
      const text = token as Tokens.Text;
      return text.tokens ? inline(text.tokens, depth) : entities(text.text);
    }
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'strong':
      return <strong>{inline((token as Tokens.Strong).tokens, depth)}</strong>;
    case 'em':
      return <em>{inline((token as Tokens.Em).tokens, depth)}</em>;
    case 'del':
      return <del>{inline((token as Tokens.Del).tokens, depth)}</del>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'checkbox':
      return null;
    case 'link': {
      const { href, tokens } = token as Tokens.Link;
      return (
        <Link address={href} words={(token as Tokens.Link).text}>
          {inline(tokens, depth)}
        </Link>
      );
    }
    case 'image': {
      const { text, href } = token as Tokens.Image;
      return (
        <Link address={href} words={text}>
          {text || t('image')}
        </Link>
      );
    }
    default:
      return token.raw;
  }
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  apos: "'",
  nbsp: '\u00a0',
};

/** The lexer leaves entities to HTML, which never sees this text. */
function entities(text: string): string {
  return text.replace(
    /&(amp|lt|gt|quot|#39|apos|nbsp);/g,
    (whole, name: string) => ENTITIES[name] ?? whole,
  );
}

interface LinkProps {
  address: string;
  /** The link's text: where it is the place itself, the place is not said twice. */
  words: string;
  children: ComponentChildren;
}

/** Opens only on a click, in a tab of its own, and says where it goes before. */
function Link({ address, words, children }: LinkProps) {
  const target = linkTarget(address);
  if (!target) return <>{children}</>;
  return (
    <a href={target.href} title={target.href} target="_blank" rel="noopener noreferrer">
      {children}
      {words !== target.place && <span class="link-place">{` (${target.place})`}</span>}
    </a>
  );
}

function CodeBlock({ text, language }: { text: string; language: string }) {
  return (
    <div class="code-block">
      <div class="code-bar">
        <span>{language.slice(0, 24)}</span>
        <CopyButton text={text} label={t('copyCode')} />
      </div>
      <ScrollBox class="code-text" label={t('code')} dir="ltr">
        <pre>
          <code>{text}</code>
        </pre>
      </ScrollBox>
    </div>
  );
}
