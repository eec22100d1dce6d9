/** A cursor over one line: positions in characters, indentation in columns, tabs being stops of four. */

const isSpace = (character: string | undefined): boolean => character === ' ' || character === '\t';

export class Line {
  readonly text: string;
  /** Where the first character that is neither space nor tab stands, and how many columns ahead that is. */
  next = 0;
  indent = 0;
  #position = 0;
  #column = 0;
  #nextColumn = 0;
  /** The tab at the position is eaten in part: what remains of it is spaces. */
  #insideTab = false;

  constructor(text: string) {
    this.text = text;
    this.#look();
  }

  get blank(): boolean {
    return this.next === this.text.length;
  }

  /** The first character that is neither space nor tab. */
  get first(): string | undefined {
    return this.text[this.next];
  }

  get atSpace(): boolean {
    return isSpace(this.text[this.#position]);
  }

  get atEnd(): boolean {
    return this.#position >= this.text.length;
  }

  /** What is left after the indentation. */
  get content(): string {
    return this.text.slice(this.next);
  }

  /** What is left, indentation included. */
  get rest(): string {
    return this.#insideTab
      ? ' '.repeat(4 - (this.#column % 4)) + this.text.slice(this.#position + 1)
      : this.text.slice(this.#position);
  }

  skipIndent(): void {
    this.#position = this.next;
    this.#column = this.#nextColumn;
    this.#insideTab = false;
    this.indent = 0;
  }

  /** Skips the indentation and `count` characters after it, none of them a tab. */
  eatMarker(count: number): void {
    this.skipIndent();
    this.#position += count;
    this.#column += count;
    this.#look();
  }

  /** Eats up to `columns` columns of space. */
  eat(columns: number): void {
    while (columns > 0 && this.atSpace) {
      const width = this.text[this.#position] === '\t' ? 4 - (this.#column % 4) : 1;
      const eaten = Math.min(width, columns);
      this.#column += eaten;
      columns -= eaten;
      this.#insideTab = eaten < width;
      if (!this.#insideTab) this.#position++;
    }
    this.#look();
  }

  #look(): void {
    let { next } = this;
    let column = this.#column;
    for (next = this.#position; isSpace(this.text[next]); next++)
      column += this.text[next] === ' ' ? 1 : 4 - (column % 4);
    this.next = next;
    this.#nextColumn = column;
    this.indent = column - this.#column;
  }
}
