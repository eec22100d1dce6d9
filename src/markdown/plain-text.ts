/** Converts Markdown into plain text, for screen readers and for copying. */
import type { BlockParser } from './block-parser.ts';
import { joinTexts } from './join-texts.ts';
import { parseInline } from './inline-parser.ts';
import { MarkdownReader } from './reader.ts';
import { inlineText, type Block, type List } from './syntax-tree.ts';
import { taskOf } from './task.ts';

/**
 * Returns the text of `markdown` without its syntax. Blocks are on separate lines, numbered items keep their numbers, and
 * the cells of a table row are separated by commas.
 */
export const plainText = (markdown: string): string => {
  const reader = new MarkdownReader();
  reader.read(markdown, true);
  return textOf(reader.blocks.document.children, reader.blocks);
};

const textOf = (blocks: readonly Block[], parser: BlockParser): string => {
  return blocks
    .map((block) => blockText(block, parser))
    .filter((text) => text !== '')
    .join('\n');
};

const blockText = (block: Block, parser: BlockParser): string => {
  const inline = (text: string): string => inlineText(parseInline(text.trim(), parser).content);
  switch (block.type) {
    case 'rule':
      return '';
    case 'code':
      return block.text.trimEnd();
    case 'table':
      return block.rows.map((row) => joinTexts(row.slice(0, block.alignments.length).map(inline))).join('\n');
    case 'list':
      return block.children.map((item, index) => numberOf(block, index) + blockText(item, parser)).join('\n');
    case 'quote':
    case 'item':
      return textOf(block.children, parser);
    default:
      return inline(taskOf(block).text);
  }
};

const numberOf = ({ start }: List, index: number): string => (start === null ? '' : `${start + index}. `);
