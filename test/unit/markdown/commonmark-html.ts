/** Renders a parsed document as HTML in the form of the CommonMark reference, to compare the two. */
import { BlockParser } from '../../../src/markdown/block-parser.ts';
import { parseInline } from '../../../src/markdown/inline-parser.ts';
import { MarkdownReader } from '../../../src/markdown/reader.ts';
import type { Block, Inline } from '../../../src/markdown/syntax-tree.ts';

/** Parses a document as a whole. */
export const parse = (markdown: string): BlockParser => {
  return parseStreamed(markdown, markdown.length);
};

/** Parses a document that arrives in steps of `step` characters, and tries each unfinished line as it grows. */
export const parseStreamed = (markdown: string, step: number): BlockParser => {
  const reader = new MarkdownReader();
  for (let end = step; end < markdown.length; end += step) reader.read(markdown.slice(0, end), false);
  reader.read(markdown, true);
  return reader.blocks;
};

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Normalizes a destination, because the programs percent-encode different characters. */
const href = (url: string): string => {
  let decoded = url;
  try {
    decoded = decodeURI(url);
  } catch {
    // The destination is not valid percent-encoded text, so it is compared as it is.
  }
  return escape(decoded);
};

/** Removes from `html` what the parser does not keep: titles, and the percent-encoding of destinations. */
export const comparable = (html: string): string => {
  return html.replace(/ title="[^"]*"/g, '').replace(/ (href|src)="([^"]*)"/g, (_, name: string, url: string) => {
    const unescaped = url
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    return ` ${name}="${href(unescaped)}"`;
  });
};

export const inlineHtml = (content: readonly Inline[]): string => {
  return content
    .map((part) => {
      if (typeof part === 'string') return escape(part);
      switch (part.type) {
        case 'break':
          return '<br />\n';
        case 'code':
          return `<code>${escape(part.text)}</code>`;
        case 'image':
          return `<img src="${href(part.url)}" alt="${escape(part.alt)}" />`;
        case 'run':
        case 'math':
          return escape(part.text);
        case 'link':
          // CommonMark does not link bare URLs.
          return part.bare ? inlineHtml(part.children) : `<a href="${href(part.url)}">${inlineHtml(part.children)}</a>`;
        default:
          return `<${part.type}>${inlineHtml(part.children)}</${part.type}>`;
      }
    })
    .join('');
};

export const toHtml = ({ document, definitions }: BlockParser): string => {
  const inline = (text: string): string => inlineHtml(parseInline(text.trim(), { definitions }).content);
  const draw = (block: Block, tight: boolean): string => {
    switch (block.type) {
      case 'paragraph':
        return tight ? inline(block.text) : `<p>${inline(block.text)}</p>\n`;
      case 'heading':
        return `<h${block.level}>${inline(block.text)}</h${block.level}>\n`;
      case 'rule':
        return '<hr />\n';
      case 'code': {
        const language = block.info.split(/\s/)[0]!;
        return `<pre><code${language ? ` class="language-${escape(language)}"` : ''}>${escape(block.text)}</code></pre>\n`;
      }
      case 'quote':
        return `<blockquote>\n${drawAll(block.children)}</blockquote>\n`;
      case 'list': {
        const tag = block.start === null ? 'ul' : 'ol';
        const start = block.start === null || block.start === 1 ? '' : ` start="${block.start}"`;
        return `<${tag}${start}>\n${block.children.map((item) => draw(item, !block.loose)).join('')}</${tag}>\n`;
      }
      case 'item': {
        const parts = block.children.map((child) => draw(child, tight));
        let html = '';
        block.children.forEach((child, index) => {
          const inlineOnly = tight && child.type === 'paragraph';
          if (!inlineOnly && html !== '' && !html.endsWith('\n')) html += '\n';
          if (!inlineOnly && html === '') html = '\n';
          html += parts[index];
        });
        return `<li>${html}</li>\n`;
      }
      case 'table':
        return `<table>${block.rows.map((row) => `<tr>${row.map((cell) => `<td>${inline(cell)}</td>`).join('')}</tr>\n`).join('')}</table>\n`;
    }
  };
  const drawAll = (blocks: readonly Block[]): string => blocks.map((block) => draw(block, false)).join('');
  return drawAll(document.children);
};

/** Serializes a parse result: the blocks with their fields, and the inline content of each. */
export const outline = ({ document, definitions }: BlockParser): string => {
  return JSON.stringify(
    document.children,
    function (this: object, key, value: unknown) {
      if (key === 'parent' || key === 'settled' || key === 'open' || key === 'lastLine') return undefined;
      // Blocks have a parent, and inline content has none.
      const isOfBlock = key === 'text' && 'parent' in this;
      return isOfBlock && typeof value === 'string' ? parseInline(value.trim(), { definitions }).content : value;
    },
    1,
  );
};
