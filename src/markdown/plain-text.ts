/** Converts Markdown into text: as it is spoken, and as it is written where Markdown is not rendered. */
import type { BlockParser } from './block-parser.ts';
import { joinTexts } from './join-texts.ts';
import { parseInline } from './inline-parser.ts';
import { MarkdownReader } from './reader.ts';
import { inlineText, type Block, type Inline, type Item, type List } from './syntax-tree.ts';
import { taskOf } from './task.ts';
import { safeUrl } from './url.ts';

/**
 * Returns the text of `markdown` without its syntax, for screen readers and previews. Blocks are on separate lines, numbered items
 * keep their numbers, and the cells of a table row are separated by commas.
 */
export const plainText = (markdown: string): string => {
  const parser = parse(markdown);
  return spokenBlocks(parser.document.children, parser);
};

/**
 * Returns `markdown` as a person writes it in a letter, for the clipboard and for files. Links have their addresses, lists, tasks and
 * quotes keep their marks, and blank lines separate paragraphs.
 */
export const writtenText = (markdown: string): string => {
  const parser = parse(markdown);
  return writtenBlocks(parser.document.children, parser, '\n\n');
};

const parse = (markdown: string): BlockParser => {
  const reader = new MarkdownReader();
  reader.read(markdown, true);
  return reader.blocks;
};

// --- Spoken

const spokenBlocks = (blocks: readonly Block[], parser: BlockParser): string => {
  return blocks
    .map((block) => spoken(block, parser))
    .filter((text) => text !== '')
    .join('\n');
};

const spoken = (block: Block, parser: BlockParser): string => {
  const inline = (text: string): string => inlineText(parseInline(text.trim(), parser).content);
  switch (block.type) {
    case 'rule':
      return '';
    case 'code':
      return block.text.trimEnd();
    case 'table':
      return block.rows.map((row) => joinTexts(row.slice(0, block.alignments.length).map(inline))).join('\n');
    case 'list':
      return block.children.map((item, index) => numberOf(block, index, '.') + spoken(item, parser)).join('\n');
    case 'quote':
    case 'item':
      return spokenBlocks(block.children, parser);
    default:
      return inline(taskOf(block).text);
  }
};

const numberOf = ({ start }: List, index: number, delimiter: string): string =>
  start === null ? '' : `${start + index}${delimiter} `;

// --- Written

const writtenBlocks = (blocks: readonly Block[], parser: BlockParser, separator: string): string =>
  blocks
    .map((block) => written(block, parser))
    .filter((text) => text !== '')
    .join(separator);

const written = (block: Block, parser: BlockParser): string => {
  const inline = (text: string): string => writtenInline(parseInline(text.trim(), parser).content);
  switch (block.type) {
    case 'rule':
      return '---';
    case 'code':
      return block.text.trimEnd();
    case 'table':
      return block.rows.map((row) => row.slice(0, block.alignments.length).map(inline).join(' | ')).join('\n');
    case 'list':
      return block.children
        .map((item, index) =>
          writtenItem(item as Item, numberOf(block, index, block.marker) || '- ', block.loose, parser),
        )
        .join(block.loose ? '\n\n' : '\n');
    case 'item':
      return writtenBlocks(block.children, parser, '\n');
    case 'quote':
      return indented('> ', '> ', writtenBlocks(block.children, parser, '\n\n'));
    default: {
      const { done, text } = taskOf(block);
      return (done === null ? '' : done ? '[x] ' : '[ ] ') + inline(text);
    }
  }
};

const writtenItem = (item: Item, mark: string, isLoose: boolean, parser: BlockParser): string =>
  indented(mark, ' '.repeat(mark.length), writtenBlocks(item.children, parser, isLoose ? '\n\n' : '\n'));

/** Puts one text in front of the first line, and another one in front of the others. */
const indented = (first: string, next: string, text: string): string => first + text.replaceAll('\n', `\n${next}`);

const writtenInline = (content: readonly Inline[]): string =>
  content
    .map((part) => {
      if (typeof part === 'string') return part;
      if (part.type === 'link') return withAddress(writtenInline(part.children), part.url);
      if (part.type === 'image') return withAddress(part.alt, part.url);
      return 'children' in part ? writtenInline(part.children) : inlineText([part]);
    })
    .join('');

/** Adds the address of a link to its label, unless the label is the address. */
const withAddress = (label: string, url: string): string => {
  const href = safeUrl(url);
  if (!href) return label;
  const isShown = [url, href].some(
    (address) => address.replace(/^(?:mailto:|tel:|https?:\/\/)|\/$/g, '') === label.replace(/^https?:\/\/|\/$/g, ''),
  );
  if (isShown) return label;
  const address = /\s/.test(url) ? href : url;
  return label.trim() ? `${label} (${address})` : address;
};
