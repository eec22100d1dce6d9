/** Reads a text that grows: complete lines once, the unfinished last one again each time. */
import { BlockParser } from './blocks.ts';
import { isUndecided } from './heal.ts';

const LINE_ENDING = /\r\n?|\n/g;

export class MarkdownReader {
  readonly blocks = new BlockParser();
  #text = '';
  #ended = false;
  #lineStart = 0;
  /** No line ending begins before this point of the unfinished line. */
  #searched = 0;

  /** Whether `read` can go on with `text`; when not, a new reader has to start over. */
  continuesWith(text: string): boolean {
    return text.startsWith(this.#text) && (!this.#ended || text.length === this.#text.length);
  }

  /** Takes the whole text so far; `final` when no more of it will come. False when there was nothing new. */
  read(text: string, final: boolean): boolean {
    if (this.#ended || (text.length === this.#text.length && !final)) return false;
    this.#text = text;
    LINE_ENDING.lastIndex = this.#searched;
    for (let match; (match = LINE_ENDING.exec(text));) {
      // A carriage return at the very end may be half of a line ending.
      if (match[0] === '\r' && LINE_ENDING.lastIndex === text.length && !final) break;
      this.blocks.read(text.slice(this.#lineStart, match.index));
      this.#lineStart = LINE_ENDING.lastIndex;
    }
    this.#searched = Math.max(this.#lineStart, text.length - 1);
    this.#readRest(text.slice(this.#lineStart), final);
    return true;
  }

  #readRest(line: string, final: boolean): void {
    if (final) {
      if (line) this.blocks.read(line);
      this.blocks.end();
      this.#ended = true;
      return;
    }
    this.blocks.undo();
    const unfinished = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (unfinished && !isUndecided(unfinished, this.blocks.tip)) this.blocks.attempt(unfinished);
  }
}
