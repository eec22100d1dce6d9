/**
 * Colors code with the CSS Custom Highlight API: ranges of the text, without an element for a token. Loaded with the first block
 * that names its language.
 */
import { css } from 'lit';
import { SugarHigh, tokenize } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';
import { adoptStyles } from './late-renderers.ts';

/** A longer block stays plain. */
const maxLength = 50_000;
/** The characters between two pauses: hostile code costs the tokenizer quadratic time. */
const sliceLength = 2000;

/** The highlights of the document by the kind of their tokens. */
const prefix = 'workspace-chat-';
const kinds = ['keyword', 'string', 'class', 'property', 'entity', 'comment'];

/**
 * The colors have the hue of their kind. Their lightness follows that of the text: also on the surface of a page's own, their contrast is that
 * of a text.
 */
export const codeColorStyles = css`
  /* Chromium paints each highlight like a selection where it forces colors. */
  @media (forced-colors: active) {
    .md-code code {
      color: CanvasText;
      forced-color-adjust: none;
    }
  }

  @media (forced-colors: none) {
    ::highlight(workspace-chat-keyword) {
      color: oklch(from var(--_text) calc(l * 0.45 + 0.36) 0.16 305);
    }

    ::highlight(workspace-chat-string) {
      color: oklch(from var(--_text) calc(l * 0.45 + 0.34) 0.11 150);
    }

    ::highlight(workspace-chat-class) {
      color: oklch(from var(--_text) calc(l * 0.45 + 0.35) 0.11 60);
    }

    ::highlight(workspace-chat-property) {
      color: oklch(from var(--_text) calc(l * 0.45 + 0.35) 0.12 255);
    }

    ::highlight(workspace-chat-entity) {
      color: oklch(from var(--_text) calc(l * 0.45 + 0.36) 0.15 20);
    }

    ::highlight(workspace-chat-comment) {
      color: oklch(from var(--_text) calc(l * 0.35 + 0.4) 0.02 255);
    }
  }
`;

type Paint = [kind: string, range: StaticRange];

/** The element beside each block, which removes its colors with it: the document would keep the ranges, and with them the text. */
const colorsTag = 'workspace-chat-code-colors';

interface CodeColors extends HTMLElement {
  /** Adds a color. It is shown while the element is connected. */
  add(paint: Paint): void;
}

/** Not a class of the module: a server, which may evaluate this file, has no HTMLElement. */
const defineColors = (): void => {
  class CodeColorsElement extends HTMLElement implements CodeColors {
    readonly paints: Paint[] = [];

    connectedCallback(): void {
      for (const paint of this.paints) this.#highlight(paint[0]).add(paint[1]);
    }

    disconnectedCallback(): void {
      for (const [kind, range] of this.paints) this.#highlight(kind).delete(range);
    }

    add(paint: Paint): void {
      this.paints.push(paint);
      if (this.isConnected) this.#highlight(paint[0]).add(paint[1]);
    }

    #highlight(kind: string): Highlight {
      const name = prefix + kind;
      const highlight = CSS.highlights.get(name) ?? new Highlight();
      CSS.highlights.set(name, highlight);
      return highlight;
    }
  }

  customElements.define(colorsTag, CodeColorsElement);
};

interface Token {
  kind: string;
  text: string;
}

type Tokenize = (code: string) => Token[];

const diffKinds: Record<string, string> = { '+': 'string', '-': 'entity', '@': 'keyword' };

/** A line of a change has one color. */
const diffTokens: Tokenize = (code) =>
  code.split(/(?<=\n)/).map((text) => ({ kind: diffKinds[text.charAt(0)] ?? '', text }));

/** Returns the tokenizer of a language by one of its names, or null for an unknown one. */
export const tokenizerOf = (name: string): Tokenize | null => {
  const id = lang(name);
  if (id === 'diff') return diffTokens;
  const config = languages.find((language) => language.id === id)?.config;
  if (!config || id === 'plaintext') return null;
  return (code) => tokenize(code, config).map(([type, text]) => ({ kind: SugarHigh.TokenTypes[type]!, text }));
};

/** Returns the number of first tokens up to the last line that begins like one of the top level: the tokenizer can start there. */
const wholeLines = (tokens: readonly Token[]): number => {
  // A comment includes the end of its line.
  const isBreak = (index: number) => tokens[index]!.text.endsWith('\n');
  const isTop = (index: number) => !/^[\s)}\]<]/.test(tokens[index + 1]?.text ?? ' ');
  for (const isEnd of [(index: number) => isBreak(index) && isTop(index), isBreak])
    for (let index = tokens.length - 2; index > 0; index--) if (isEnd(index)) return index + 1;
  return tokens.length;
};

/** Returns the tokens of a code in parts, each from a part of limited length. */
export function* tokensOf(code: string, split: Tokenize): Generator<Token[]> {
  for (let start = 0; start < code.length;) {
    const end = start + sliceLength;
    const tokens = split(code.slice(start, end));
    const part = end < code.length ? tokens.slice(0, wholeLines(tokens)) : tokens;
    yield part;
    start += part.reduce((length, { text }) => length + text.length, 0);
  }
}

const pause = () => new Promise<void>((resolve) => void setTimeout(resolve));

const color = async (code: HTMLElement, split: Tokenize): Promise<void> => {
  const nodes = [...code.querySelectorAll('span')].map(({ firstChild }) => firstChild as Text);
  const text = nodes.map(({ data }) => data).join('');
  if (text.length > maxLength || text !== code.textContent) return;
  const colors = document.createElement(colorsTag) as CodeColors;
  colors.hidden = true;
  code.closest('.md-code')!.append(colors);
  let offset = 0;
  /** Returns the node of a position, and the position in it. */
  const place = (length: number): [Text, number] => {
    while (nodes.length > 1 && offset + length > nodes[0]!.length) offset -= nodes.shift()!.length;
    return [nodes[0]!, offset + length];
  };
  for (const tokens of tokensOf(text, split)) {
    for (const { kind, text } of tokens) {
      const [startContainer, startOffset] = place(0);
      const [endContainer, endOffset] = place(text.length);
      offset += text.length;
      if (kinds.includes(kind))
        colors.add([kind, new StaticRange({ startContainer, startOffset, endContainer, endOffset })]);
    }
    await pause();
    if (!colors.isConnected) return;
  }
};

/** The blocks that have their colors, or wait for them. */
const colored = new WeakSet<HTMLElement>();
let queue = Promise.resolve();

/**
 * Colors a complete block, once, after those before it.
 * @param code The element with the text.
 * @param language The language as the block names it. The code of an unknown one stays plain.
 */
export const colorCode = (code: HTMLElement, language: string): void => {
  const split = tokenizerOf(language);
  if (!split || colored.has(code)) return;
  colored.add(code);
  adoptStyles(code, codeColorStyles);
  if (!customElements.get(colorsTag)) defineColors();
  queue = queue.then(() => color(code, split)).catch(() => {});
};
