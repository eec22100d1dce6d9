/** A line that is consumed from its start. Indentation counts in columns, with tab stops of four. */

const indentPattern = /^[ \t]*/;

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
    return this.rest.slice(indentPattern.exec(this.rest)![0].length);
  }

  /** The number of columns of the indentation. */
  get indent(): number {
    let column = this.#column;
    for (const character of indentPattern.exec(this.rest)![0]) column += character === ' ' ? 1 : 4 - (column % 4);
    return column - this.#column;
  }

  skipIndent(): void {
    this.#column += this.indent;
    this.rest = this.content;
  }

  /** Skips the indentation and `count` characters after it, none of which is a tab. */
  eatMarker(count: number): void {
    this.skipIndent();
    this.rest = this.rest.slice(count);
    this.#column += count;
  }

  /** Consumes up to `columns` columns of white space. A tab that is consumed in part leaves spaces. */
  eat(columns: number): void {
    for (let left = Math.min(columns, this.indent); left > 0; left--) {
      if (this.rest[0] === '\t') this.rest = ' '.repeat(4 - (this.#column % 4)) + this.rest.slice(1);
      this.rest = this.rest.slice(1);
      this.#column++;
    }
  }
}
