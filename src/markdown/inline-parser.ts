/** Parses inline content with CommonMark's delimiter and bracket stacks, plus GFM's strikethrough and autolinks. */
import { bareUrl, urlStartPattern } from './bare-links.ts';
import { DelimiterStack, firstVisible, lastVisible } from './emphasis.ts';
import { decodeEntities } from './entities.ts';
import { visibleText } from './heal.ts';
import { inlineTarget, labelAt, labelKey, matchAt, punctuationPattern } from './link-syntax.ts';
import { mathAt } from './math.ts';
import { contentBetween, Pieces, type Piece } from './pieces.ts';
import { inlineText, type Inline, type Link } from './syntax-tree.ts';
import { finishInline, mayContinueRun } from './runs.ts';
import { withoutEnd } from './trim.ts';

const specialPattern = /[\n\\`*_~[\]!<&$]/g;
const referencePattern = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{0,30});/iy;
/** An autolink in angle brackets: a URL, or an email address. */
const anglePattern =
  // oxlint-disable-next-line no-control-regex
  /<(?:([a-z][a-z\d+.-]{1,31}:[^\s<>\0-\x20]*)|([\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.(?=[a-z\d])|(?=>)))+))>/iy;
const backticksPattern = /`+/g;
const runPattern = /(.)\1*/y;
const lineStartPattern = /[ \t]*/y;
/** The tag of a line break, with a line end after it. */
const breakTagPattern = /<br\s{0,9}\/?>(?:[ \t]*\n)?/iy;
/** A label that is hidden until it is known to be a link, such as the 1 of [1]. */
const referenceMarkPattern = /^\^?\d*(?:\]|$)/;

/** The distance in characters between two checkpoints from which parsing can continue. It is shorter at line ends, which are nodes. */
const checkpointDistance = 300;
const lineDistance = 60;

/** Returns the position of the next match, or the length of the text. */
const indexFrom = (pattern: RegExp, text: string, start: number): number => {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
};

/** Parses the autolink in angle brackets at `position`. */
const angleLink = (text: string, position: number): { link: Link; end: number } | null => {
  const match = matchAt(anglePattern, text, position);
  if (!match) return null;
  const address = (match[1] ?? match[2])!;
  const url = match[1] ? address : `mailto:${address}`;
  return { link: { type: 'link', url, children: [address] }, end: anglePattern.lastIndex };
};

interface Bracket {
  image: boolean;
  piece: Piece;
  /** The position where its label starts. */
  start: number;
  /** The height of the delimiter stack when the bracket was opened. */
  height: number;
  /** False around a link: links cannot contain links. */
  active: boolean;
}

export interface InlineOptions {
  definitions: ReadonlyMap<string, string>;
  /** Whether the text is still streaming, so that incomplete syntax is closed or hidden. */
  open?: boolean;
  /** The end of the text in front of it. */
  before?: string;
  /** Called with the key of each label that is not defined (yet). */
  onUndefined?: (key: string) => void;
}

export interface InlineResult {
  content: Inline[];
  /** The part of the text that no later text can change, and the number of its entries in `content`. */
  settledLength: number;
  settledCount: number;
}

/** Parses the text of a paragraph, a heading or a cell, or the text after its settled part. */
export const parseInline = (text: string, options: InlineOptions): InlineResult => {
  return new InlineParser(text, options).parse();
};

class InlineParser {
  #text: string;
  #end: number;
  #options: InlineOptions;
  #position = 0;
  #pieces = new Pieces();
  #delimiters = new DelimiterStack(this.#pieces);
  #brackets: Bracket[] = [];
  /** The position where the label of the last opened bracket starts. */
  #lastLabel = 0;
  /** The lengths of backtick runs without a closing run. */
  #unclosedBackticks = new Set<number>();
  /** Whether later text may complete a formula. */
  #isFormulaOpen = false;
  #checkpoint = { position: 0, piece: this.#pieces.head };
  /** The positions of the next special character and of the next bare URL. Before the current position when they are not known. */
  #nextSpecial = -1;
  #nextUrl = -1;
  /** The position of the last attempt to set a checkpoint. */
  #tried = 0;

  constructor(text: string, options: InlineOptions) {
    this.#text = options.open ? visibleText(text) : text;
    this.#end = this.#text.length;
    this.#options = options;
  }

  parse(): InlineResult {
    while (this.#position < this.#end) this.#next();
    const { open = false, before } = this.#options;
    if (open) this.#showOpenBrackets();
    this.#delimiters.match(0);
    this.#delimiters.matchRest(0);
    if (open) this.#delimiters.closeOpen();
    const { piece, position } = this.#checkpoint;
    const settled = finishInline(contentBetween(this.#pieces.head, piece.next), open && !piece.next, before);
    const end = settled.length > 0 ? inlineText(settled.slice(-1)) : before;
    const rest = piece.next ? finishInline(contentBetween(piece, null), open, end) : [];
    return { content: [...settled, ...rest], settledLength: position, settledCount: settled.length };
  }

  #next(): void {
    const character = this.#text[this.#position]!;
    switch (character) {
      case '\n':
        return this.#lineEnding();
      case '\\':
        if (!this.#math()) this.#escape();
        return;
      case '$':
        if (!this.#math()) this.#addText(1);
        return;
      case '`':
        return this.#codeSpan();
      case '*':
      case '_':
      case '~':
        return this.#delimiterRun();
      case '[':
        return this.#openBracket(false);
      case ']':
        return this.#closeBracket();
      case '!':
        return this.#text[this.#position + 1] === '[' ? this.#openBracket(true) : this.#addText(1);
      case '<': {
        if (matchAt(breakTagPattern, this.#text, this.#position)) {
          this.#trimEnd();
          return this.#break(breakTagPattern.lastIndex);
        }
        const found = angleLink(this.#text, this.#position);
        return found ? this.#collectContent(found.link, found.end) : this.#addText(1);
      }
      case '&': {
        const match = matchAt(referencePattern, this.#text, this.#position);
        return match ? this.#collectContent(decodeEntities(match[0]), referencePattern.lastIndex) : this.#addText(1);
      }
      default:
        return this.#plainText();
    }
  }

  /** Adds `length` characters as text. */
  #addText(length: number): void {
    this.#pieces.push(this.#text.slice(this.#position, this.#position + length));
    this.#position += length;
  }

  #collectContent(content: Inline, end: number): void {
    this.#pieces.push(content);
    this.#position = end;
  }

  /** Returns the run of equal characters at the position. */
  #run(): string {
    return matchAt(runPattern, this.#text, this.#position)![0];
  }

  // --- Text

  #plainText(): void {
    const start = this.#position;
    if (this.#nextSpecial < start) this.#nextSpecial = indexFrom(specialPattern, this.#text, start);
    if (this.#nextUrl < start) this.#nextUrl = indexFrom(urlStartPattern, this.#text, start);
    if (this.#nextUrl === start) {
      const found = bareUrl(this.#text, start);
      // A URL at the end of the text may be incomplete, and a link to half of it would be wrong.
      if (!found) return this.#addText(1);
      if (this.#options.open && !found.isComplete) return this.#addText(found.end - start);
      return this.#collectContent(found.link, found.end);
    }
    const length = Math.min(this.#nextSpecial, this.#nextUrl) - start;
    const run = this.#text.slice(start, start + length);
    const space = run.lastIndexOf(' ');
    if (space > 0 && run[space - 1] !== ' ') {
      this.#addText(space);
      this.#tryCheckpoint();
      return this.#addText(length - space);
    }
    this.#addText(length);
  }

  /** Sets a checkpoint when nothing before this white space can become part of a later construct. */
  #tryCheckpoint(distance = checkpointDistance): void {
    if (this.#position - this.#tried < distance) return;
    this.#tried = this.#position;
    if (mayContinueRun(this.#text.slice(Math.max(0, this.#position - 20), this.#position))) return;
    if (this.#brackets.length > 0 || this.#unclosedBackticks.size > 0 || this.#isFormulaOpen) return;
    this.#delimiters.match(0);
    if (this.#delimiters.height === 0) this.#checkpoint = { position: this.#position, piece: this.#pieces.tail };
  }

  #lineEnding(): void {
    if (this.#text[this.#position - 1] !== ' ') this.#tryCheckpoint(lineDistance);
    this.#trimEnd();
    this.#break(this.#position + 1);
  }

  /** Removes the spaces before a line break. */
  #trimEnd(): void {
    const { tail } = this.#pieces;
    if (typeof tail.content === 'string') tail.content = withoutEnd(tail.content, ' ');
  }

  /** Adds a line break. The text after it starts after the spaces at `position`. */
  #break(position: number): void {
    matchAt(lineStartPattern, this.#text, position);
    this.#collectContent({ type: 'break' }, lineStartPattern.lastIndex);
  }

  /** Adds the formula at the position. Returns false when there is none. */
  #math(): boolean {
    const found = mathAt(this.#text, this.#position, this.#options.open);
    if (found) this.#collectContent(found.formula, found.end);
    else if (found === undefined) this.#isFormulaOpen = true;
    return Boolean(found);
  }

  #escape(): void {
    const escaped = this.#text[this.#position + 1] ?? '';
    if (escaped !== '\n' && !punctuationPattern.test(escaped)) return this.#addText(1);
    this.#position++;
    if (escaped !== '\n') return this.#addText(1);
    this.#break(this.#position + 1);
  }

  #codeSpan(): void {
    const { length } = this.#run();
    const start = this.#position + length;
    const close = this.#closingBackticks(start, length);
    const closed = close >= 0;
    if (!closed && !this.#options.open) return this.#addText(length);
    let code = this.#text.slice(start, closed ? close : this.#end).replaceAll('\n', ' ');
    // The backticks at the end may be the start of the closing run.
    if (!closed) code = withoutEnd(code, '`');
    const blank = code.trim() === '';
    if (!blank && code.startsWith(' ') && code.endsWith(' ')) code = code.slice(1, -1);
    this.#collectContent(closed || !blank ? { type: 'code', text: code } : '', closed ? close + length : this.#end);
  }

  #closingBackticks(start: number, length: number): number {
    if (this.#unclosedBackticks.has(length)) return -1;
    backticksPattern.lastIndex = start;
    for (let match; (match = backticksPattern.exec(this.#text));) if (match[0].length === length) return match.index;
    this.#unclosedBackticks.add(length);
    return -1;
  }

  #delimiterRun(): void {
    const run = this.#run();
    const before = lastVisible(this.#text, this.#position);
    this.#position += run.length;
    this.#delimiters.push(run, before, firstVisible(this.#text, this.#position));
  }

  // --- Brackets

  #openBracket(image: boolean): void {
    const markup = image ? '![' : '[';
    const { height } = this.#delimiters;
    this.#position += markup.length;
    this.#lastLabel = this.#position;
    this.#brackets.push({ image, piece: this.#pieces.push(markup), start: this.#position, height, active: true });
  }

  #closeBracket(): void {
    const bracket = this.#brackets.pop();
    if (!bracket?.active) return this.#addText(1);
    const target = this.#target(bracket, this.#position + 1);
    if (target === 'unfinished' && this.#options.open) {
      // Show the label until the rest of the link has arrived.
      this.#brackets.push(bracket);
      this.#position = this.#end;
      return;
    }
    if (!target || target === 'unfinished') return this.#addText(1);

    this.#delimiters.match(bracket.height);
    this.#delimiters.matchRest(bracket.height);
    this.#delimiters.clear(bracket.height);
    const children = contentBetween(bracket.piece, null);
    this.#pieces.cut(bracket.piece);
    const { url, end } = target;
    if (bracket.image) return this.#collectContent({ type: 'image', url, alt: inlineText(children) }, end);
    this.#collectContent({ type: 'link', url, children }, end);
    for (const outer of this.#brackets) outer.active &&= outer.image;
  }

  /** Returns the destination of a link whose text ends before `position`: inline, or by a defined label. */
  #target(bracket: Bracket, position: number): { url: string; end: number } | 'unfinished' | null {
    const next = this.#text[position];
    const inline = next === '(' ? inlineTarget(this.#text, position) : null;
    if (inline && (inline !== 'unfinished' || this.#options.open)) return inline;
    const reference = next === '[' ? labelAt(this.#text, position) : null;
    const named = reference?.label.trim() ? reference.label : null;
    if (named !== null || bracket.start === this.#lastLabel) {
      const key = this.#keyOf(named ?? this.#text.slice(bracket.start, position - 1));
      const url = key ? this.#options.definitions.get(key) : undefined;
      if (url !== undefined) return { url, end: named !== null ? reference!.end : this.#collapsed(position) };
      if (key) this.#options.onUndefined?.(key);
    }
    const waits =
      position === this.#end || (next === '[' && !reference && !this.#text.slice(position + 1).includes(']'));
    return waits ? 'unfinished' : null;
  }

  #keyOf(label: string): string {
    return label.length < 1000 ? labelKey(label) : '';
  }

  /** Returns the end of a shortcut or collapsed reference. */
  #collapsed(position: number): number {
    return this.#text.startsWith('[]', position) ? position + 2 : position;
  }

  // --- Incomplete syntax at the end of a streaming text

  /** Shows the labels of incomplete links, and hides incomplete images and marks such as [1]. */
  #showOpenBrackets(): void {
    const open = this.#brackets.filter(({ active }) => active);
    for (const { piece } of open) piece.content = '';
    const lowest = open.find(
      ({ image, start }) => image || referenceMarkPattern.test(this.#text.slice(start, start + 20)),
    );
    if (!lowest) return;
    this.#pieces.cut(lowest.piece);
    this.#delimiters.clear(lowest.height);
  }
}
