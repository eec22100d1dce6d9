/** A linked list of inline content, from which the parser can cut the content of a construct. */
import type { Inline } from './syntax-tree.ts';

export interface Piece {
  content: Inline;
  previous: Piece | null;
  next: Piece | null;
}

export class Pieces {
  /** The node before the first piece. */
  readonly head: Piece = { content: '', previous: null, next: null };
  tail: Piece = this.head;

  push(content: Inline): Piece {
    this.tail.next = { content, previous: this.tail, next: null };
    return (this.tail = this.tail.next);
  }

  remove(piece: Piece): void {
    this.#join(piece.previous!, piece.next);
  }

  /** Replaces everything between two pieces with `content`. */
  replace(before: Piece, after: Piece | null, content: Inline): void {
    const piece: Piece = { content, previous: null, next: null };
    this.#join(before, piece);
    this.#join(piece, after);
  }

  /** Removes `piece` and everything after it. */
  cut(piece: Piece): void {
    this.#join(piece.previous!, null);
  }

  #join(before: Piece, after: Piece | null): void {
    before.next = after;
    if (after) after.previous = before;
    else this.tail = before;
  }
}

/** Returns the content between two pieces, with adjacent strings joined. */
export const contentBetween = (before: Piece, after: Piece | null): Inline[] => {
  const content: Inline[] = [];
  for (let piece = before.next; piece && piece !== after; piece = piece.next) {
    const last = content.length - 1;
    if (typeof piece.content === 'string' && typeof content[last] === 'string') content[last] += piece.content;
    else if (piece.content !== '') content.push(piece.content);
  }
  return content;
};
