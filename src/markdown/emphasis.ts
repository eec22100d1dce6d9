/**
 * Parses emphasis, strong emphasis and strikethrough with the delimiter stack of CommonMark's parsing strategy, and with two rules
 * for texts without spaces between words. The letters and the punctuation of scripts without case stand where CommonMark wants a
 * space, as in the rule that is published as “CJK-friendly emphasis”. And delimiters that would stay text are paired once more,
 * with less strict conditions.
 */
import { directionMarks } from '../../contract/characters.ts';
import { contentBetween, type Piece, type Pieces } from './pieces.ts';
import type { Emphasis, Inline } from './syntax-tree.ts';

/** Deeper emphasis stays text. Hostile input nests it thousands deep. */
const maxDepth = 20;

const spacePattern = /\s/;
/** A character that belongs to a script without case, such as Arabic, Thai or Chinese: a letter, a mark, a digit or punctuation. */
const caselessPattern =
  /[\p{Lo}\p{Lm}\p{M}\uff00-\uff65\u{1f1e6}-\u{1f1ff}]|(?![0-9])\p{Nd}|(?!\p{scx=Zyyy}|\p{scx=Latn}|\p{scx=Grek}|\p{scx=Cyrl})[\p{P}\p{S}]/u;
const punctuationPattern = /[\p{P}\p{S}]/u;
/** A bracket or quotation mark that opens, which nothing ends with, and one that closes. */
const openingPattern = /[\p{Ps}\p{Pi}]/u;
const closingPattern = /[\p{Pe}\p{Pf}]/u;
const wordPattern = /[\p{L}\p{N}_]/u;
const markPattern = new RegExp(`[${directionMarks}]`);

interface Delimiter {
  character: string;
  /** The number of remaining characters of the run, and its original length. */
  length: number;
  readonly size: number;
  readonly opens: boolean;
  readonly closes: boolean;
  /** Whether it may open or close if it would stay text otherwise. */
  readonly mayOpen: boolean;
  readonly mayClose: boolean;
  readonly piece: Piece;
  /** Increases with the position in the text. */
  readonly order: number;
}

/** Returns the character before `end` that is no direction mark, or a line end. */
export const lastVisible = (text: string, end: number): string => {
  let position = end - 1;
  while (position >= 0 && markPattern.test(text[position]!)) position--;
  if (position < 0) return '\n';
  const isPair = /[\udc00-\udfff]/.test(text[position]!) && position > 0;
  return text.slice(isPair ? position - 1 : position, position + 1);
};

/** Returns the character at or after `start` that is no direction mark, or a line end. */
export const firstVisible = (text: string, start: number): string => {
  let position = start;
  while (markPattern.test(text[position] ?? '')) position++;
  const code = text.codePointAt(position);
  return code === undefined ? '\n' : String.fromCodePoint(code);
};

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

  /** Adds a run of delimiters between the characters `before` and `after`. A line end is a space. */
  push(run: string, before: string, after: string): void {
    const piece = this.#pieces.push(run);
    const character = run.charAt(0);
    const spaceBefore = spacePattern.test(before);
    const spaceAfter = spacePattern.test(after);
    const caselessBefore = caselessPattern.test(before);
    const caselessAfter = caselessPattern.test(after);
    const punctuationBefore = !caselessBefore && punctuationPattern.test(before);
    const punctuationAfter = !caselessAfter && punctuationPattern.test(after);
    const leftFlanking = !spaceAfter && (!punctuationAfter || spaceBefore || punctuationBefore || caselessBefore);
    const rightFlanking = !spaceBefore && (!punctuationBefore || spaceAfter || punctuationAfter || caselessAfter);
    const anywhere = character !== '_';
    const opens = leftFlanking && (anywhere || !rightFlanking || punctuationBefore);
    const closes = rightFlanking && (anywhere || !leftFlanking || punctuationAfter);
    // A pair of delimiters is hardly ever meant as text, so it may also stand beside a space.
    const isPair = run.length === 2;
    const isStart = before === '\n' && after !== '\n';
    const isInWord = !anywhere && (wordPattern.test(before) || wordPattern.test(after));
    const mayOpen = (!spaceAfter || (isPair && isStart)) && !closingPattern.test(after) && !(isInWord && !spaceBefore);
    const mayClose =
      (!spaceBefore || (isPair && !spaceAfter)) && !openingPattern.test(before) && !(isInWord && !spaceAfter);
    if ((!opens && !closes && !mayOpen && !mayClose) || (character === '~' && run.length > 2)) return;
    const { length } = run;
    this.#stack.push({
      character,
      length,
      size: length,
      opens,
      closes,
      mayOpen,
      mayClose,
      piece,
      order: ++this.#order,
    });
  }

  /** Matches the closers above the height `bottom` with their openers. What may still be matched stays on the stack. */
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
      const isLeft = opens || closer.mayOpen || stack.length > 0;
      if (isLeft && closer.length > 0) stack.push(closer);
    }
    if (bottom <= this.#matched) this.#matched = stack.length;
  }

  /**
   * Matches once more what is left above the height `bottom` when no more delimiters follow: runs of the same length, one of which
   * opens or closes by itself.
   */
  matchRest(bottom: number): void {
    const stack = this.#stack;
    const searched = new Map<string, number>();
    for (const closer of stack.splice(bottom)) {
      const { character, closes, mayClose, length } = closer;
      const kind = `${character}${length}${closes}`;
      const isOpener = (opener: Delimiter) =>
        opener.character === character && opener.length === length && opener.mayOpen && (opener.opens || closes);
      const floor = searched.get(kind) ?? 0;
      let index = mayClose ? stack.length - 1 : -1;
      while (index >= bottom && stack[index]!.order > floor && !isOpener(stack[index]!)) index--;
      const found = index >= bottom && stack[index]!.order > floor;
      if (found && this.#wrapWhole(stack[index]!, closer)) stack.length = index;
      else {
        if (mayClose) searched.set(kind, closer.order - 1);
        stack.push(closer);
      }
    }
    this.#matched = Math.min(this.#matched, stack.length);
  }

  /** Removes all delimiters above a height from the stack: they stay text. */
  clear(height: number): void {
    this.#stack.length = height;
    this.#matched = Math.min(this.#matched, height);
  }

  /** Closes the emphasis that is open at the end of a streaming text, up to a limit. */
  closeOpen(): void {
    if (this.#stack.reduce((open, { length, opens }) => open + (opens ? length : 0), 0) > maxDepth) return;
    for (const opener of this.#stack.toReversed()) {
      const { character, piece, opens } = opener;
      if (!opens) continue;
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
      if (opener.character !== character || !opener.opens) continue;
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

  /** Wraps the content between two runs of the same length. Returns false when it is nested too deep. */
  #wrapWhole(opener: Delimiter, closer: Delimiter): boolean {
    while (opener.length > 0) if (!this.#wrap(opener, closer)) return false;
    return true;
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
