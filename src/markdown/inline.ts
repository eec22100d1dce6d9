/** Inline content: CommonMark's strategy (a delimiter stack and a bracket stack), with GFM's strikethrough and links. */
import { angleLink, bareUrl, bareUrlStart, withEmailLinks } from './autolinks.ts';
import { DelimiterStack } from './emphasis.ts';
import { decodeEntities } from './entities.ts';
import { isReferenceMark, visibleEnd } from './heal.ts';
import { inlineTarget, labelAt, labelKey, matchAt, PUNCTUATION } from './links.ts';
import { contentBetween, Pieces, type Piece } from './pieces.ts';
import { inlineText, type Inline } from './syntax-tree.ts';

const TEXT = /[^\n\\`*_~[\]!<&]+/y;
const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{0,30});/iy;
const BACKTICKS = /`+/g;
const LAST_WORD = /[^\s<]*$/y;

/** Characters between two points at which parsing may go on later; each costs a look at the delimiter stack. */
const CHECKPOINT_DISTANCE = 300;

interface Bracket {
  image: boolean;
  piece: Piece;
  /** Where its label begins. */
  labelStart: number;
  /** The height of the delimiter stack when it was opened. */
  height: number;
  below: Bracket | null;
  /** False inside the text of a link: links don't contain links. */
  active: boolean;
  /** Another bracket was opened after it. */
  containsBracket: boolean;
}

export interface InlineOptions {
  definitions: ReadonlyMap<string, string>;
  /** The text is still being written: half-open syntax is closed, or hidden where it says nothing yet. */
  open?: boolean;
  /** Called with the key of each label that is not defined (yet). */
  onUndefined?: (key: string) => void;
}

export interface InlineResult {
  content: Inline[];
  /** The part of the text that stays as it is whatever follows, and how many entries of `content` it made. */
  settledLength: number;
  settledCount: number;
}

/** Parses the text of a paragraph, a heading or a cell, or what follows its settled part. */
export function parseInline(text: string, options: InlineOptions): InlineResult {
  return new InlineParser(text, options).parse();
}

class InlineParser {
  #text: string;
  #end: number;
  #options: InlineOptions;
  #position = 0;
  #pieces = new Pieces();
  #delimiters = new DelimiterStack(this.#pieces);
  #brackets: Bracket | null = null;
  /** Lengths of backtick runs that nothing closes. */
  #unclosedBackticks = new Set<number>();
  #checkpoint = { position: 0, piece: this.#pieces.head };
  /** Where a checkpoint was last tried. */
  #tried = 0;

  constructor(text: string, options: InlineOptions) {
    this.#text = options.open ? text.slice(0, visibleEnd(text)) : text;
    this.#end = this.#text.length;
    this.#options = options;
  }

  parse(): InlineResult {
    while (this.#position < this.#end) this.#next();
    if (this.#options.open) this.#showOpenBrackets();
    this.#delimiters.match(0);
    if (this.#options.open) this.#delimiters.closeOpen();
    const { piece, position } = this.#checkpoint;
    const settled = withEmailLinks(contentBetween(this.#pieces.head, piece.next));
    const rest = piece.next ? withEmailLinks(contentBetween(piece, null)) : [];
    return { content: [...settled, ...rest], settledLength: position, settledCount: settled.length };
  }

  #next(): void {
    const character = this.#text[this.#position]!;
    switch (character) {
      case '\n':
        return this.#lineEnding();
      case '\\':
        return this.#escape();
      case '`':
        return this.#codeSpan();
      case '*':
      case '_':
      case '~':
        return this.#delimiterRun(character);
      case '[':
        return this.#openBracket(false);
      case ']':
        return this.#closeBracket();
      case '!':
        if (this.#text[this.#position + 1] === '[') return this.#openBracket(true);
        return this.#take(1);
      case '<': {
        const found = angleLink(this.#text, this.#position);
        if (!found) return this.#take(1);
        this.#pieces.push(found.link);
        this.#position = found.end;
        return;
      }
      case '&': {
        const match = matchAt(REFERENCE, this.#text, this.#position);
        if (!match) return this.#take(1);
        this.#pieces.push(decodeEntities(match[0]));
        this.#position += match[0].length;
        return;
      }
      default:
        return this.#plainText();
    }
  }

  /** Takes `length` characters as text. */
  #take(length: number): void {
    this.#pieces.push(this.#text.slice(this.#position, this.#position + length));
    this.#position += length;
  }

  #runLength(): number {
    const character = this.#text[this.#position];
    let end = this.#position + 1;
    while (this.#text[end] === character) end++;
    return end - this.#position;
  }

  // --- Text

  #plainText(): void {
    const run = matchAt(TEXT, this.#text, this.#position)![0];
    const urlStart = bareUrlStart(run, this.#text[this.#position - 1] ?? '');
    if (urlStart > 0) return this.#take(urlStart);
    if (urlStart === 0) {
      const found = bareUrl(this.#text, this.#position);
      // A URL that the text ends with may not be complete: a link to half of it would lead astray.
      if (!found) return this.#take(1);
      if (this.#options.open && matchAt(LAST_WORD, this.#text, found.end))
        return this.#take(found.end - this.#position);
      this.#pieces.push(found.link);
      this.#position = found.end;
      return;
    }
    const space = run.lastIndexOf(' ');
    if (space > 0 && run[space - 1] !== ' ') {
      this.#take(space);
      this.#tryCheckpoint();
      return this.#take(run.length - space);
    }
    this.#take(run.length);
  }

  /** Settles what is parsed, when nothing of it can become part of something that ends after this white space. */
  #tryCheckpoint(): void {
    if (this.#position - this.#tried < CHECKPOINT_DISTANCE) return;
    this.#tried = this.#position;
    if (this.#brackets || this.#unclosedBackticks.size > 0) return;
    this.#delimiters.match(0);
    if (this.#delimiters.height === 0) this.#checkpoint = { position: this.#position, piece: this.#pieces.tail };
  }

  #lineEnding(): void {
    if (this.#text[this.#position - 1] !== ' ') this.#tryCheckpoint();
    const { tail } = this.#pieces;
    let hard = false;
    if (typeof tail.content === 'string') {
      const text = tail.content;
      let end = text.length;
      while (text[end - 1] === ' ') end--;
      hard = text.length - end >= 2;
      tail.content = text.slice(0, end);
    }
    this.#pieces.push(hard ? { type: 'break' } : '\n');
    this.#skipLineStart();
  }

  #skipLineStart(): void {
    this.#position++;
    while (this.#text[this.#position] === ' ' || this.#text[this.#position] === '\t') this.#position++;
  }

  #escape(): void {
    const escaped = this.#text[this.#position + 1] ?? '';
    if (escaped !== '\n' && !PUNCTUATION.test(escaped)) return this.#take(1);
    this.#position++;
    if (escaped !== '\n') return this.#take(1);
    this.#pieces.push({ type: 'break' });
    this.#skipLineStart();
  }

  #codeSpan(): void {
    const length = this.#runLength();
    const start = this.#position + length;
    const close = this.#closingBackticks(start, length);
    if (close < 0 && !this.#options.open) return this.#take(length);
    let code = this.#text.slice(start, close < 0 ? this.#end : close).replaceAll('\n', ' ');
    if (close < 0) {
      // The backticks it ends with may be the beginning of its closing run.
      let end = code.length;
      while (code[end - 1] === '`') end--;
      code = code.slice(0, end);
    }
    const blank = code.trim() === '';
    if (!blank && code.startsWith(' ') && code.endsWith(' ')) code = code.slice(1, -1);
    if (close >= 0 || !blank) this.#pieces.push({ type: 'code', text: code });
    this.#position = close < 0 ? this.#end : close + length;
  }

  #closingBackticks(start: number, length: number): number {
    if (this.#unclosedBackticks.has(length)) return -1;
    BACKTICKS.lastIndex = start;
    for (let match; (match = BACKTICKS.exec(this.#text));) if (match[0].length === length) return match.index;
    this.#unclosedBackticks.add(length);
    return -1;
  }

  #delimiterRun(character: string): void {
    const length = this.#runLength();
    const end = this.#position + length;
    const before = characterBefore(this.#text, this.#position);
    const after = end < this.#end ? String.fromCodePoint(this.#text.codePointAt(end)!) : '\n';
    this.#delimiters.push(character.repeat(length), before, after);
    this.#position = end;
  }

  // --- Brackets

  #openBracket(image: boolean): void {
    const markup = image ? '![' : '[';
    if (this.#brackets) this.#brackets.containsBracket = true;
    this.#position += markup.length;
    this.#brackets = {
      image,
      piece: this.#pieces.push(markup),
      labelStart: this.#position,
      height: this.#delimiters.height,
      below: this.#brackets,
      active: true,
      containsBracket: false,
    };
  }

  #closeBracket(): void {
    const bracket = this.#brackets;
    if (!bracket?.active) {
      this.#brackets = bracket?.below ?? null;
      return this.#take(1);
    }
    const target = this.#target(bracket, this.#position + 1);
    if (target === 'unfinished' && this.#options.open) {
      // Shown as its label until the rest of it is here.
      this.#position = this.#end;
      return;
    }
    this.#brackets = bracket.below;
    if (!target || target === 'unfinished') return this.#take(1);

    this.#delimiters.match(bracket.height);
    this.#delimiters.clear(bracket.height);
    const children = contentBetween(bracket.piece, null);
    this.#pieces.cutFrom(bracket.piece);
    this.#position = target.end;
    if (bracket.image) this.#pieces.push({ type: 'image', url: target.url, alternative: inlineText(children) });
    else {
      this.#pieces.push({ type: 'link', url: target.url, children });
      for (let outer = this.#brackets; outer; outer = outer.below) if (!outer.image) outer.active = false;
    }
  }

  /** Where a link whose text ends before `position` leads: inline, or by a defined label. */
  #target(bracket: Bracket, position: number): { url: string; end: number } | 'unfinished' | null {
    const next = this.#text[position];
    const inline = next === '(' ? inlineTarget(this.#text, position) : null;
    if (inline && (inline !== 'unfinished' || this.#options.open)) return inline;
    const reference = next === '[' ? labelAt(this.#text, position) : null;
    const named = reference?.label.trim() ? reference.label : null;
    if (named !== null || !bracket.containsBracket) {
      const key = this.#keyOf(named ?? this.#text.slice(bracket.labelStart, position - 1));
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

  /** The end of a reference that is its own label: after the empty brackets that may follow it. */
  #collapsed(position: number): number {
    return this.#text.startsWith('[]', position) ? position + 2 : position;
  }

  // --- Healing

  /** Shows the labels of links that are not complete yet, and nothing of images and of marks like [1]. */
  #showOpenBrackets(): void {
    let lowest: Bracket | null = null;
    for (let bracket = this.#brackets; bracket; bracket = bracket.below) {
      if (!bracket.active) continue;
      bracket.piece.content = '';
      const label = this.#text.slice(bracket.labelStart, bracket.labelStart + 20).replace(/\].*/s, '');
      if (bracket.image || isReferenceMark(label)) lowest = bracket;
    }
    if (!lowest) return;
    this.#pieces.cutFrom(lowest.piece);
    this.#delimiters.clear(lowest.height);
  }
}

function characterBefore(text: string, position: number): string {
  if (position === 0) return '\n';
  const code = text.charCodeAt(position - 1);
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
  return text.slice(position - (isLowSurrogate ? 2 : 1), position);
}
