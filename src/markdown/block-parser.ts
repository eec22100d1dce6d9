/** Parses the block structure of CommonMark and GFM tables, line by line. Raw HTML is text. */
import {
  atxHeading,
  closesFence,
  eatQuoteMarker,
  isThematicBreak,
  listMarker,
  mayInterrupt,
  openingFence,
  underlineLevel,
} from './block-starts.ts';
import { shownPart, type Hidden } from './hidden-text.ts';
import { Journal } from './journal.ts';
import { Line } from './line.ts';
import { definitionAt, unescape } from './link-syntax.ts';
import { isInFormula } from './math.ts';
import { Outline } from './outline.ts';
import {
  isContainer,
  lastLineOf,
  type Block,
  type Container,
  type Document,
  type NewBlock,
  type Paragraph,
} from './syntax-tree.ts';
import { delimiterRow, splitRow } from './tables.ts';
import { withoutBlankLines } from './trim.ts';

/** Deeper quotes and lists stay text: the cost of each line grows with the depth of nesting. */
const maxDepth = 32;

export class BlockParser {
  readonly document: Document = { type: 'document', children: [], depth: 0, open: true };
  /** The link reference definitions by key. Lines of `attempt` define nothing. */
  readonly definitions = new Map<string, string>();
  /** The keys of definitions that were not read yet. */
  readonly defined: string[] = [];
  readonly #journal = new Journal();
  readonly #outline = new Outline(this.#journal);
  /** The innermost open block. */
  #tip: Container | Block = this.document;
  #lineNumber = 0;
  /** What is hidden beyond the end of the last line. */
  readonly #open: { hidden: Hidden | null } = { hidden: null };
  /** The innermost block that the line continues, while inner blocks that it does not continue are still open. */
  #matched: Container | Block | null = null;
  /** The innermost open block before an attempt. */
  #attemptedFrom: Container | Block | null = null;

  get tip(): Container | Block {
    return this.#tip;
  }

  /** Parses a complete line without its line ending. */
  read(line: string): void {
    this.undo();
    this.#read(line);
  }

  /** Parses a line that is not complete yet. `undo`, or the next `read` or `attempt`, reverts it. */
  attempt(line: string): void {
    this.undo();
    const lineNumber = this.#lineNumber;
    const tip = this.#tip;
    this.#journal.record();
    this.#read(line);
    this.#lineNumber = lineNumber;
    this.#attemptedFrom = tip;
  }

  undo(): void {
    this.#journal.rollback();
    if (this.#attemptedFrom) this.#tip = this.#attemptedFrom;
    this.#attemptedFrom = null;
  }

  /** Closes all open blocks at the end of the text. */
  end(): void {
    this.undo();
    this.#closeDownTo(this.document);
  }

  #read(text: string): void {
    this.#lineNumber++;
    const written = text.replaceAll('\0', '\ufffd');
    const wasHidden = this.#open.hidden !== null;
    const line = new Line(wasHidden ? this.#shown(written) : written);
    if (wasHidden && line.blank) return this.#skipLine();
    const tip = this.#tip;
    const matched = this.#match(line);
    this.#matched = matched;
    if (!matched) return;
    if (!wasHidden && line.rest.includes('<') && this.#mayHide(matched, line)) {
      line.rest = this.#shown(line.rest);
      if (line.blank) return this.#skipLine();
    }

    let block: Container | Block = matched;
    while (block.type !== 'code' && !(block.type === 'paragraph' && isInFormula(block.text))) {
      const started: Block | null = this.#start(block, line);
      if (!started) break;
      block = started;
      if (block.type !== 'quote' && block.type !== 'item' && (block.type !== 'code' || block.fence)) return;
    }

    if (block.type !== 'code') line.skipIndent();
    const lazy = this.#matched && matched !== tip && !line.blank && tip.type === 'paragraph';
    if (lazy) return this.#addText(tip, line);
    this.#closeUnmatched();
    if (block.type === 'paragraph' || block.type === 'code') this.#addText(block, line);
    else if (block.type === 'table') {
      this.#journal.push(block.rows, splitRow(line.rest));
      this.#touch(block);
    } else if (!line.blank) this.#addText(this.#append({ type: 'paragraph', text: '' }), line);
  }

  /** Skips a line without a shown part, which is no blank line: it separates nothing. */
  #skipLine(): void {
    this.#matched = null;
    this.#lineNumber--;
  }

  /** Returns the shown part of a line, and remembers what is hidden at its end. */
  #shown(text: string): string {
    const { shown, hidden } = shownPart(text, this.#open.hidden);
    this.#journal.set(this.#open, 'hidden', hidden);
    return shown;
  }

  /** Whether a line in `block` is not code. */
  #mayHide(block: Container | Block, line: Line): boolean {
    const startsCode = line.isCode && this.#tip.type !== 'paragraph';
    return block.type !== 'code' && !startsCode && !openingFence(line.content);
  }

  // --- Continuation of open blocks

  /** Returns the innermost block that the line continues, or null when the line closed a fence. */
  #match(line: Line): Container | Block | null {
    let block: Container | Block = this.document;
    for (;;) {
      const child: Block | undefined = isContainer(block) ? block.children.at(-1) : undefined;
      if (!child?.open) return block;
      if (child.type === 'code' && child.fence && line.indent < 4 && closesFence(line.content, child.fence)) {
        this.#touch(child);
        this.#close(child);
        return null;
      }
      if (!this.#continues(child, line)) return block;
      block = child;
    }
  }

  #continues(block: Block, line: Line): boolean {
    switch (block.type) {
      case 'quote':
        if (!eatQuoteMarker(line)) return false;
        this.#touch(block);
        return true;
      case 'list':
        return true;
      case 'item':
        if (line.blank) {
          line.skipIndent();
          // An item may start with one blank line. An item without children started with definitions only.
          return block.children.length > 0 || this.#lineNumber > block.lastLine + 1;
        }
        if (line.indent < block.width) return false;
        line.eat(block.width);
        return true;
      case 'code':
        if (block.fence) line.eat(block.indent);
        else if (line.indent >= 4) line.eat(4);
        else if (line.blank) line.skipIndent();
        else return false;
        return true;
      default:
        return !line.blank;
    }
  }

  // --- Starts of blocks

  /** Appends and returns the block that starts at the line's position, or returns null. */
  #start(block: Container | Block, line: Line): Block | null {
    if (line.blank) return null;
    if (line.isCode) {
      if (this.#tip.type === 'paragraph') return null;
      line.eat(4);
      return this.#append({ type: 'code', text: '', fence: '', indent: 0, info: '' });
    }
    const nestable = block.depth < maxDepth;
    if (nestable && eatQuoteMarker(line)) {
      return this.#append({ type: 'quote', children: [] });
    }
    const { content, indent } = line;
    const heading = atxHeading(content);
    if (heading) return this.#appendClosed(this.#outline.heading(heading.level, line.marks + heading.text));
    const opening = openingFence(content);
    if (opening) {
      return this.#append({ type: 'code', text: '', fence: opening.fence, indent, info: unescape(opening.info) });
    }
    if (block.type === 'paragraph') {
      const made = this.#fromParagraph(block, content);
      if (made) return made;
    }
    if (isThematicBreak(content)) {
      return this.#appendClosed({ type: 'rule' });
    }
    const marker = nestable ? listMarker(content) : null;
    if (!marker || (block.type === 'paragraph' && !mayInterrupt(marker, content))) return null;
    line.eatMarker(marker.length);
    const space = line.blank || line.indent > 4 ? 1 : line.indent;
    line.eat(space);
    this.#closeUnmatched();
    if (this.#tip.type !== 'list' || this.#tip.marker !== marker.marker)
      this.#append({ type: 'list', children: [], marker: marker.marker, start: marker.start, loose: false });
    return this.#append({ type: 'item', children: [], width: indent + marker.width + space });
  }

  /** Handles a line that turns the paragraph above it into a heading or a table. */
  #fromParagraph(paragraph: Paragraph, content: string): Block | null {
    // No block is open inside a paragraph.
    this.#matched = null;
    const level = underlineLevel(content);
    if (level) {
      const text = this.#removeDefinitions(paragraph.text);
      // The paragraph held only definitions, so the line is not an underline.
      if (!text.trim()) this.#journal.set(paragraph, 'text', text);
      else {
        this.#remove(paragraph);
        return this.#appendClosed(this.#outline.heading(level, text));
      }
    }
    const alignments = delimiterRow(content);
    if (!alignments) return null;
    const lines = paragraph.text.trimEnd();
    const headerStart = lines.lastIndexOf('\n') + 1;
    const header = lines.slice(headerStart);
    const rows = [splitRow(header)];
    if (!header.includes('|') || rows[0]!.length !== alignments.length) return null;
    if (headerStart === 0) this.#remove(paragraph);
    else {
      this.#journal.set(paragraph, 'text', lines.slice(0, headerStart));
      this.#close(paragraph);
    }
    return this.#append({ type: 'table', alignments, rows });
  }

  // --- Changes of the tree

  #append(block: NewBlock): Block {
    this.#closeUnmatched();
    let parent = this.#tip;
    while (!isContainer(parent) || (parent.type === 'list' && block.type !== 'item')) {
      this.#close(parent);
      parent = this.#tip;
    }
    const previous = parent.children.at(-1);
    const list = parent.type === 'list' ? parent : parent.type === 'item' ? parent.parent : null;
    const lastLineBefore = previous ? lastLineOf(previous) : parent.type === 'item' ? parent.lastLine : Infinity;
    if (list?.type === 'list' && lastLineBefore < this.#lineNumber - 1) this.#journal.set(list, 'loose', true);
    const lastLine = this.#lineNumber;
    const appended = { ...block, parent, depth: parent.depth + 1, open: true, settled: false, lastLine } as Block;
    this.#journal.push(parent.children, appended);
    this.#tip = appended;
    return appended;
  }

  #appendClosed(block: NewBlock): Block {
    const appended = this.#append(block);
    this.#close(appended);
    return appended;
  }

  /** Records that the line belongs to `block`. */
  #touch(block: Block): void {
    this.#journal.set(block, 'lastLine', this.#lineNumber);
  }

  #addText(block: Block, line: Line): void {
    if (block.type !== 'paragraph' && block.type !== 'code') return;
    // Blank lines belong to indented code only when more code follows them.
    if (block.type === 'paragraph' || block.fence || !line.blank) this.#touch(block);
    this.#journal.set(block, 'text', `${block.text}${line.rest}\n`);
  }

  #remove(block: Paragraph): void {
    const { parent } = block;
    this.#journal.pop(parent.children);
    if (parent.type === 'item') this.#journal.set(parent, 'lastLine', block.lastLine);
    this.#tip = parent;
  }

  #closeUnmatched(): void {
    if (this.#matched) this.#closeDownTo(this.#matched);
    this.#matched = null;
  }

  #closeDownTo(block: Container | Block): void {
    while (this.#tip !== block && this.#tip.type !== 'document') this.#close(this.#tip);
  }

  #close(block: Block): void {
    this.#journal.set(block, 'open', false);
    this.#tip = block.parent;
    if (block.type === 'paragraph') {
      const text = this.#removeDefinitions(block.text);
      if (!text.trim()) return this.#remove(block);
      this.#journal.set(block, 'text', text);
    } else if (block.type === 'code' && !block.fence) this.#journal.set(block, 'text', withoutBlankLines(block.text));
    if (!this.#journal.recording) block.settled = true;
  }

  /** Returns the text of a paragraph after the definitions at its start. */
  #removeDefinitions(text: string): string {
    let position = 0;
    for (;;) {
      const found = text[position] === '[' ? definitionAt(text, position) : null;
      if (!found) return text.slice(position);
      if (!this.#journal.recording && !this.definitions.has(found.key)) {
        this.definitions.set(found.key, found.url);
        this.defined.push(found.key);
      }
      position = found.end;
    }
  }
}
