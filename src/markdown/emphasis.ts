/** Parses emphasis, strong emphasis and strikethrough with the delimiter stack of CommonMark's parsing strategy. */
import { contentBetween, type Piece, type Pieces } from './pieces.ts';
import type { Emphasis, Inline } from './syntax-tree.ts';

/** Deeper emphasis stays text. Hostile input nests it thousands deep. */
const maxDepth = 20;

const spacePattern = /\s/;
const punctuationPattern = /[\p{P}\p{S}]/u;

interface Delimiter {
  character: string;
  /** The number of remaining characters of the run, and its original length. */
  length: number;
  readonly size: number;
  readonly opens: boolean;
  readonly closes: boolean;
  readonly piece: Piece;
  /** Increases with the position in the text. */
  readonly order: number;
}

export class DelimiterStack {
  #pieces: Pieces;
  #stack: Delimiter[] = [];
  /** The delimiters below this index have already looked for an opener. */
  #matched = 0;
  #order = 0;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  get height(): number {
    return this.#stack.length;
  }

  /** Adds a run of delimiters between the characters `before` and `after`. */
  push(run: string, before: string, after: string): void {
    const piece = this.#pieces.push(run);
    const character = run.charAt(0);
    const spaceBefore = spacePattern.test(before);
    const spaceAfter = spacePattern.test(after);
    const punctuationBefore = punctuationPattern.test(before);
    const punctuationAfter = punctuationPattern.test(after);
    const leftFlanking = !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore);
    const rightFlanking = !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter);
    const anywhere = character !== '_';
    const opens = leftFlanking && (anywhere || !rightFlanking || punctuationBefore);
    const closes = rightFlanking && (anywhere || !leftFlanking || punctuationAfter);
    if ((!opens && !closes) || (character === '~' && run.length > 2)) return;
    const { length } = run;
    this.#stack.push({ character, length, size: length, opens, closes, piece, order: ++this.#order });
  }

  /** Matches the closers above the height `bottom` with their openers. Unmatched openers stay on the stack. */
  match(bottom: number): void {
    const stack = this.#stack;
    /** For each kind of closer, the order of the last delimiter that is known to be without an opener below it. */
    const searched = new Map<string, number>();
    for (const closer of stack.splice(Math.max(bottom, this.#matched))) {
      const { character, opens, size } = closer;
      const kind = `${character}${opens}${character === '~' ? size : size % 3}`;
      while (closer.closes && closer.length > 0) {
        const index = this.#openerOf(closer, bottom, searched.get(kind) ?? 0);
        if (index < 0 || !this.#wrap(stack[index]!, closer)) {
          searched.set(kind, closer.order - 1);
          break;
        }
        stack.length = stack[index]!.length > 0 ? index + 1 : index;
      }
      if (opens && closer.length > 0) stack.push(closer);
    }
    if (bottom <= this.#matched) this.#matched = stack.length;
  }

  /** Removes all delimiters above a height from the stack: they stay text. */
  clear(height: number): void {
    this.#stack.length = height;
    this.#matched = Math.min(this.#matched, height);
  }

  /** Closes the emphasis that is open at the end of a streaming text, up to a limit. */
  closeOpen(): void {
    if (this.#stack.reduce((open, { length }) => open + length, 0) > maxDepth) return;
    for (const opener of this.#stack.toReversed()) {
      const { character, piece } = opener;
      if (character === '~' && opener.length < 2) continue;
      for (let used; opener.length > 0; opener.length -= used) {
        used = Math.min(opener.length, 2);
        const children = contentBetween(piece, null);
        if (children.length > 0) this.#pieces.replace(piece, null, emphasis(character, used, children));
      }
      this.#pieces.remove(piece);
    }
  }

  #openerOf(closer: Delimiter, bottom: number, floor: number): number {
    const { character, size } = closer;
    for (let index = this.#stack.length - 1; index >= bottom; index--) {
      const opener = this.#stack[index]!;
      if (opener.order <= floor) break;
      if (opener.character !== character) continue;
      if (character === '~') {
        if (opener.length === closer.length) return index;
      } else {
        // The "multiple of three" rule of CommonMark.
        const either = closer.opens || opener.closes;
        if (!either || size % 3 === 0 || (opener.size + size) % 3 !== 0) return index;
      }
    }
    return -1;
  }

  /** Wraps the content between opener and closer. Returns false when it is nested too deep. */
  #wrap(opener: Delimiter, closer: Delimiter): boolean {
    const { character } = opener;
    const used = Math.min(opener.length, closer.length, 2);
    const node = emphasis(character, used, contentBetween(opener.piece, closer.piece));
    if (node.depth > maxDepth) return false;
    this.#pieces.replace(opener.piece, closer.piece, node);
    for (const delimiter of [opener, closer]) {
      delimiter.length -= used;
      delimiter.piece.content = character.repeat(delimiter.length);
    }
    return true;
  }
}

const emphasis = (character: string, length: number, children: Inline[]): Emphasis => {
  let depth = 0;
  for (const child of children) if (typeof child !== 'string' && 'depth' in child) depth = Math.max(depth, child.depth);
  return { type: character === '~' ? 'del' : length === 2 ? 'strong' : 'em', children, depth: depth + 1 };
};
