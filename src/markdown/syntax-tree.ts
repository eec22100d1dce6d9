/** What Markdown becomes before it is drawn: blocks, and the inline content of their text. */

interface BlockBase {
  parent: Container;
  depth: number;
  /** Whether the next line may still add to it. */
  open: boolean;
  /** Closed by complete lines: it never changes again. */
  settled: boolean;
  /** Number of the last line that belongs to it. */
  lastLine: number;
}

export interface Document {
  type: 'document';
  children: Block[];
  depth: 0;
  open: true;
}
export interface Quote extends BlockBase {
  type: 'quote';
  children: Block[];
}
export interface List extends BlockBase {
  type: 'list';
  children: Block[];
  /** The bullet, or the delimiter after the number: another one starts another list. */
  marker: string;
  /** The first number; null for bullets. */
  start: number | null;
  /** Blank lines between its items or inside one. */
  loose: boolean;
}
export interface Item extends BlockBase {
  type: 'item';
  children: Block[];
  /** Columns that a line must be indented by to go on in it. */
  width: number;
}
export interface Paragraph extends BlockBase {
  type: 'paragraph';
  text: string;
}
export interface Heading extends BlockBase {
  type: 'heading';
  text: string;
  level: number;
}
export interface Code extends BlockBase {
  type: 'code';
  text: string;
  /** The opening fence, empty for indented code. */
  fence: string;
  /** The fence's own indentation, taken off each line. */
  indent: number;
  info: string;
}
export interface Rule extends BlockBase {
  type: 'rule';
}
export type Alignment = 'left' | 'center' | 'right' | null;
export interface Table extends BlockBase {
  type: 'table';
  alignments: Alignment[];
  /** The header's cells, then those of each row. */
  rows: string[][];
}

export type Container = Document | Quote | List | Item;
export type Block = Quote | List | Item | Paragraph | Heading | Code | Rule | Table;

export const isContainer = (block: Container | Block): block is Container => 'children' in block;

/** The last line of `block` and of what it contains. */
export const lastLineOf = (block: Block): number => {
  const child = isContainer(block) ? block.children.at(-1) : undefined;
  return child ? Math.max(block.lastLine, lastLineOf(child)) : block.lastLine;
};

export interface Emphasis {
  type: 'em' | 'strong' | 'del';
  children: Inline[];
  depth: number;
}
export interface Link {
  type: 'link';
  url: string;
  children: Inline[];
  /** Recognised in plain text, without any syntax. */
  bare?: true;
}
export interface Image {
  type: 'image';
  url: string;
  alt: string;
}
export interface CodeSpan {
  type: 'code';
  text: string;
}
export interface Break {
  type: 'break';
}
export type Inline = string | Emphasis | Link | Image | CodeSpan | Break;

/** The text of inline content, as it reads without its markup. */
export const inlineText = (content: readonly Inline[]): string => {
  return content
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('text' in part) return part.text;
      if ('alt' in part) return part.alt;
      return 'children' in part ? inlineText(part.children) : '\n';
    })
    .join('');
};
