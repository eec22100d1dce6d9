/** Inline content while it is being parsed: a linked list, so that what turns out to be a construct can be cut out. */
import type { Inline } from './syntax-tree.ts';

export interface Piece {
  content: Inline;
  previous: Piece | null;
  next: Piece | null;
}

export class Pieces {
  /** Stands before the first piece. */
  readonly head: Piece = { content: '', previous: null, next: null };
  tail: Piece = this.head;

  push(content: Inline): Piece {
    this.tail.next = { content, previous: this.tail, next: null };
    return (this.tail = this.tail.next);
  }

  remove(piece: Piece): void {
    this.#join(piece.previous!, piece.next);
  }

  /** Puts `content` in the place of what lies between two pieces. */
  replace(before: Piece, after: Piece | null, content: Inline): void {
    const piece: Piece = { content, previous: null, next: null };
    this.#join(before, piece);
    this.#join(piece, after);
  }

  /** Drops `piece` and all after it. */
  cut(piece: Piece): void {
    this.#join(piece.previous!, null);
  }

  #join(before: Piece, after: Piece | null): void {
    before.next = after;
    if (after) after.previous = before;
    else this.tail = before;
  }
}

/** The content between two pieces, adjacent strings joined. */
export const contentBetween = (before: Piece, after: Piece | null): Inline[] => {
  const content: Inline[] = [];
  for (let piece = before.next; piece && piece !== after; piece = piece.next) {
    const last = content.length - 1;
    if (typeof piece.content === 'string' && typeof content[last] === 'string') content[last] += piece.content;
    else if (piece.content !== '') content.push(piece.content);
  }
  return content;
};
