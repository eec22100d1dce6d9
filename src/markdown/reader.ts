/** Reads a text that grows: complete lines once, the unfinished last one again each time. */
import { BlockParser } from './block-parser.ts';
import { isUndecided } from './heal.ts';

const lineEndingPattern = /\r\n?|\n/g;

/**
 * An unfinished line longer than this is tried again only when it has grown by a part of its length, so that a line
 * without an end costs in proportion to its length.
 */
const longLine = 4000;
const growth = 1 / 32;

/** `startsWith`, which engines compare a character at a time; this costs a thirtieth of it on long texts. */
export const beginsWith = (text: string, beginning: string): boolean => text.slice(0, beginning.length) === beginning;

export class MarkdownReader {
  readonly blocks = new BlockParser();
  #text = '';
  #ended = false;
  #lineStart = 0;
  /** No line ending begins before this point of the unfinished line. */
  #searched = 0;
  /** How much of the unfinished line was last tried. */
  #tried = 0;

  /** Whether `read` can go on with `text`; when not, a new reader has to start over. */
  continues(text: string): boolean {
    return beginsWith(text, this.#text) && (!this.#ended || text.length === this.#text.length);
  }

  /** Takes the whole text so far; `final` when no more of it will come. False when there was nothing new. */
  read(text: string, final: boolean): boolean {
    if (this.#ended || (text.length === this.#text.length && !final)) return false;
    this.#text = text;
    const { length } = text;
    const lineStart = this.#lineStart;
    lineEndingPattern.lastIndex = this.#searched;
    for (let match; (match = lineEndingPattern.exec(text));) {
      // A carriage return at the very end may be half of a line ending.
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
