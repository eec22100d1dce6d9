/** Reads a growing text: complete lines once, and the unfinished last line again at each update. */
import { BlockParser } from './block-parser.ts';
import { isUndecided } from './heal.ts';

const lineEndingPattern = /\r\n?|\n/g;

/**
 * A longer unfinished line is tried again only after it has grown by a part of its length, so that a line without an end
 * costs linear time.
 */
const longLine = 4000;
const growth = 1 / 32;

/** Compares prefixes. Engines compare `startsWith` character by character, which takes thirty times as long here. */
export const beginsWith = (text: string, beginning: string): boolean => text.slice(0, beginning.length) === beginning;

export class MarkdownReader {
  readonly blocks = new BlockParser();
  #text = '';
  #ended = false;
  #lineStart = 0;
  /** The position in the unfinished line before which there is no line ending. */
  #searched = 0;
  /** The length of the unfinished line at the last attempt. */
  #tried = 0;

  /** Whether `read` can continue with `text`. Otherwise a new reader must start over. */
  continues(text: string): boolean {
    return beginsWith(text, this.#text) && (!this.#ended || text.length === this.#text.length);
  }

  /** Reads the whole text so far. `final` means that no more will follow. Returns false when nothing was new. */
  read(text: string, final: boolean): boolean {
    if (this.#ended || (text.length === this.#text.length && !final)) return false;
    this.#text = text;
    const { length } = text;
    const lineStart = this.#lineStart;
    lineEndingPattern.lastIndex = this.#searched;
    for (let match; (match = lineEndingPattern.exec(text));) {
      // A carriage return at the end may be half of a line ending.
      if (match[0] === '\r' && lineEndingPattern.lastIndex === length && !final) break;
      this.blocks.read(text.slice(this.#lineStart, match.index));
      this.#lineStart = lineEndingPattern.lastIndex;
    }
    this.#searched = Math.max(this.#lineStart, length - 1);
    const lineLength = length - this.#lineStart;
    const grown = lineLength - this.#tried;
    if (!final && lineStart === this.#lineStart && lineLength > longLine && grown < lineLength * growth) return false;
    this.#tried = lineLength;
    this.#readRest(text.slice(this.#lineStart), final);
    return true;
  }

  #readRest(line: string, final: boolean): void {
    this.blocks.undo();
    if (final) {
      if (line) this.blocks.read(line);
      this.blocks.end();
      this.#ended = true;
      return;
    }
    const unfinished = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (unfinished && !isUndecided(unfinished, this.blocks.tip)) this.blocks.attempt(unfinished);
  }
}
