/** The syntax tree of Markdown: blocks, and the inline content of their text. */

interface BlockBase {
  parent: Container;
  depth: number;
  /** Whether the next line may continue it. */
  open: boolean;
  /** Whether complete lines have closed it, so that it never changes again. */
  settled: boolean;
  /** The number of its last line. */
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
  /** The bullet, or the delimiter after the number. A different one starts another list. */
  marker: string;
  /** The first number, or null for bullets. */
  start: number | null;
  /** Whether blank lines separate its items, or occur inside one. */
  loose: boolean;
}
export interface Item extends BlockBase {
  type: 'item';
  children: Block[];
  /** The columns of indentation that continue it. */
  width: number;
}
export interface Paragraph extends BlockBase {
  type: 'paragraph';
  text: string;
}
export interface Heading extends BlockBase {
  type: 'heading';
  text: string;
  /** The number of `#`. */
  level: number;
  /** See `Outline`. */
  rank: number;
}
export interface Code extends BlockBase {
  type: 'code';
  text: string;
  /** The opening fence, or an empty string for indented code. */
  fence: string;
  /** The indentation of the fence, which is removed from each line. */
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
  /** The cells of the header, then of each row. */
  rows: string[][];
}

export type Container = Document | Quote | List | Item;
export type Block = Quote | List | Item | Paragraph | Heading | Code | Rule | Table;

/** A block before the parser appends it to the tree. */
export type NewBlock = New<Block>;
type New<Kind> = Kind extends Block ? Omit<Kind, keyof BlockBase> : never;

export const isContainer = (block: Container | Block): block is Container => 'children' in block;

/** Returns the last line of `block` and its children. */
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
  /** An autolink without syntax. */
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
/** Characters that stay together and in order, such as a date. */
export interface Run {
  type: 'run';
  text: string;
  /** Null without isolation: it continues the Latin word in front of it. */
  dir: 'ltr' | 'auto' | null;
  /** The URL of a telephone number. */
  url?: string;
}
export interface MathFormula {
  type: 'math';
  /** As it is written. */
  text: string;
  /** Without its delimiters. */
  tex: string;
  /** Whether it has lines of its own. */
  isBlock: boolean;
}
export interface Break {
  type: 'break';
}
export type Inline = string | Emphasis | Link | Image | CodeSpan | MathFormula | Run | Break;

/** Returns the text of inline content without its markup. */
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
