/**
 * A line that is consumed from its start. Indentation counts in columns, with tab stops of four. Direction marks in it count
 * nothing and stay in front of the text, because they decide its direction.
 */
import { directionMarks, noBreakSpaces } from '../../contract/characters.ts';

const indentPattern = new RegExp(`^[ \\t${noBreakSpaces}${directionMarks}\\ufeff\\u200b]*`);
const otherPattern = new RegExp(`[^${directionMarks}]`, 'g');
const noBreakPattern = new RegExp(`[${noBreakSpaces}]`);
const invisiblePattern = new RegExp(`[${directionMarks}\\ufeff\\u200b]`, 'g');

/** Returns a text as the recognition of blocks reads it: without invisible marks, and with ordinary spaces. */
export const plainSpaces = (text: string): string =>
  text.replace(invisiblePattern, '').replace(new RegExp(noBreakPattern, 'g'), ' ');

export class Line {
  /** The rest of the line with its indentation. */
  rest: string;
  /** The number of consumed columns. */
  #column = 0;

  constructor(text: string) {
    this.rest = text;
  }

  get blank(): boolean {
    return this.content === '';
  }

  /** The rest of the line after its indentation. */
  get content(): string {
    return this.rest.slice(this.#leading.length);
  }

  /** The number of columns of the indentation. */
  get indent(): number {
    let column = this.#column;
    for (const character of this.#leading)
      if (character === '\t') column += 4 - (column % 4);
      else if (character === ' ' || noBreakPattern.test(character)) column++;
    return column - this.#column;
  }

  /** Whether the indentation is that of code. Nobody indents code with no-break spaces, but some texts have them. */
  get isCode(): boolean {
    return this.indent >= 4 && !noBreakPattern.test(this.#leading);
  }

  get #leading(): string {
    return indentPattern.exec(this.rest)![0];
  }

  skipIndent(): void {
    this.#column += this.indent;
    this.rest = this.marks + this.content;
  }

  /** Skips the indentation and `count` characters after it. */
  eatMarker(count: number): void {
    this.skipIndent();
    const { marks } = this;
    this.rest = marks + this.rest.slice(marks.length + count);
    this.#column += count;
  }

  /** Consumes up to `columns` columns of white space. A tab that is consumed in part leaves spaces. */
  eat(columns: number): void {
    const marks = columns > 0 ? this.marks : '';
    if (marks) this.rest = this.#leading.replace(invisiblePattern, '') + this.content;
    for (let left = Math.min(columns, this.indent); left > 0; left--) {
      if (this.rest[0] === '\t') this.rest = ' '.repeat(4 - (this.#column % 4)) + this.rest.slice(1);
      this.rest = this.rest.slice(1);
      this.#column++;
    }
    this.rest = marks + this.rest;
  }

  /** The direction marks in the indentation. */
  get marks(): string {
    return this.#leading.replace(otherPattern, '');
  }
}
