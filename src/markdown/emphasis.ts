/** Emphasis, strong emphasis and strikethrough: the delimiter stack of CommonMark's parsing strategy. */
import { contentBetween, type Piece, type Pieces } from './pieces.ts';
import type { Emphasis, Inline } from './syntax-tree.ts';

/** Emphasis nested deeper stays text: hostile text nests it thousands deep. */
const MAX_DEPTH = 20;

const SPACE = /\s/;
const PUNCTUATION = /[\p{P}\p{S}]/u;

export interface Delimiter {
  character: string;
  /** How many characters of the run are left, and how many it had. */
  length: number;
  readonly originalLength: number;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  readonly piece: Piece;
  /** Grows along the text, so that "searched down to here" survives removals. */
  readonly order: number;
  below: Delimiter | null;
  above: Delimiter | null;
}

/** For each kind of closer, the order of the delimiter down to which there is no opener for it. */
type Searched = Map<string, number>;

const kindOf = ({ character, canOpen, originalLength }: Delimiter): string =>
  `${character}${canOpen}${character === '~' ? originalLength : originalLength % 3}`;

const markup = (delimiter: Delimiter): string => delimiter.character.repeat(delimiter.length);

export class DelimiterStack {
  top: Delimiter | null = null;
  #pieces: Pieces;
  #order = 0;
  #hasClosers = false;
  #searched: Searched = new Map();

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  /** Adds a run of delimiters that stands between the characters `before` and `after`. */
  push(run: string, before: string, after: string): void {
    const piece = this.#pieces.push(run);
    const character = run.charAt(0);
    const spaceBefore = SPACE.test(before);
    const spaceAfter = SPACE.test(after);
    const punctuationBefore = PUNCTUATION.test(before);
    const punctuationAfter = PUNCTUATION.test(after);
    const leftFlanking = !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore);
    const rightFlanking = !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter);
    const anywhere = character !== '_';
    const canOpen = leftFlanking && (anywhere || !rightFlanking || punctuationBefore);
    const canClose = rightFlanking && (anywhere || !leftFlanking || punctuationAfter);
    if ((!canOpen && !canClose) || (character === '~' && run.length > 2)) return;
    const { length } = run;
    const below = this.top;
    const order = ++this.#order;
    this.top = { character, length, originalLength: length, canOpen, canClose, piece, order, below, above: null };
    if (below) below.above = this.top;
    this.#hasClosers ||= canClose;
  }

  /** Matches the closers above `bottom` with their openers; openers without a closer stay on the stack. */
  match(bottom: Delimiter | null): void {
    if (!bottom) this.#hasClosers = false;
    const searched: Searched = bottom ? new Map() : this.#searched;
    let closer = this.#bottomAbove(bottom);
    while (closer) {
      const { above } = closer;
      if (!closer.canClose) closer = above;
      else {
        const kind = kindOf(closer);
        const opener = this.#openerOf(closer, Math.max(searched.get(kind) ?? 0, bottom?.order ?? 0));
        if (opener && this.#wrap(opener, closer)) {
          if (closer.length === 0) closer = above;
        } else {
          searched.set(kind, closer.order - 1);
          if (!closer.canOpen) this.#remove(closer);
          closer = above;
        }
      }
    }
  }

  /** Forgets all delimiters above `bottom`: they stay text. */
  clear(bottom: Delimiter | null): void {
    this.top = bottom;
    if (bottom) bottom.above = null;
  }

  /** Whether nothing on the stack can match what is to come; matches what can be matched. */
  settle(): boolean {
    if (this.#hasClosers) this.match(null);
    return !this.top;
  }

  /** Closes what is still open at the end of the text, unless that is more than any prose opens. */
  closeOpen(): void {
    let open = 0;
    for (let opener = this.top; opener; opener = opener.below) open += opener.length;
    if (open > MAX_DEPTH) return;
    for (let opener = this.top; opener; opener = opener.below) {
      if (opener.character === '~' && opener.length < 2) continue;
      const { piece } = opener;
      while (opener.length > 0) {
        const used = Math.min(opener.length, 2);
        const children = contentBetween(piece, null);
        if (children.length > 0) this.#pieces.replaceBetween(piece, null, emphasis(opener.character, used, children));
        opener.length -= used;
      }
      this.#pieces.remove(piece);
    }
  }

  #bottomAbove(bottom: Delimiter | null): Delimiter | null {
    let delimiter = this.top;
    if (delimiter === bottom) return null;
    while (delimiter && delimiter.below !== bottom) delimiter = delimiter.below;
    return delimiter;
  }

  #openerOf(closer: Delimiter, floor: number): Delimiter | null {
    const { character, originalLength } = closer;
    for (let opener = closer.below; opener && opener.order > floor; opener = opener.below) {
      if (opener.character !== character || !opener.canOpen) continue;
      if (character === '~') {
        if (opener.length === closer.length) return opener;
      } else {
        // The "multiple of three" rule, which keeps *a**b* whole.
        const either = closer.canOpen || opener.canClose;
        if (!either || originalLength % 3 === 0 || (opener.originalLength + originalLength) % 3 !== 0) return opener;
      }
    }
    return null;
  }

  /** Wraps what lies between opener and closer; false when that is nested too deep. */
  #wrap(opener: Delimiter, closer: Delimiter): boolean {
    const used = opener.character === '~' ? closer.length : Math.min(opener.length, closer.length, 2);
    const node = emphasis(opener.character, used, contentBetween(opener.piece, closer.piece));
    if (node.depth > MAX_DEPTH) return false;
    this.#pieces.replaceBetween(opener.piece, closer.piece, node);
    closer.below = opener;
    opener.above = closer;
    for (const delimiter of [opener, closer]) {
      delimiter.length -= used;
      delimiter.piece.content = markup(delimiter);
      if (delimiter.length === 0) {
        this.#pieces.remove(delimiter.piece);
        this.#remove(delimiter);
      }
    }
    return true;
  }

  #remove(delimiter: Delimiter): void {
    if (delimiter.below) delimiter.below.above = delimiter.above;
    if (delimiter.above) delimiter.above.below = delimiter.below;
    else this.top = delimiter.below;
  }
}

function emphasis(character: string, length: number, children: Inline[]): Emphasis {
  let depth = 0;
  for (const child of children) if (typeof child !== 'string' && 'depth' in child) depth = Math.max(depth, child.depth);
  return { type: character === '~' ? 'del' : length === 2 ? 'strong' : 'em', children, depth: depth + 1 };
}
