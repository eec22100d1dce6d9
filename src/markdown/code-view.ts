/** Renders a code block: its language, a copy button, and text that only grows. */
import { createElement } from './create-element.ts';
import { beginsWith } from './reader.ts';

/** Characters of code per element. The browser would lay out one growing text node again as a whole. */
const chunkLength = 1000;

export class CodeView {
  readonly element = createElement('div', { class: 'md-code', dir: 'ltr' });
  readonly pre = createElement('pre');
  readonly code = createElement('code');
  #shown = '';
  #tail: Text | null = null;

  constructor(language: string, copyLabel: string) {
    const bar = createElement('div', { class: 'md-code-bar' });
    const name = createElement('span', { class: 'md-code-language' });
    const button = createElement('button', { class: 'md-copy', type: 'button' });
    name.textContent = language;
    button.textContent = copyLabel;
    bar.append(name, button);
    this.pre.append(this.code);
    this.element.append(bar, this.pre);
  }

  /** Whether the text that grows is in its place. */
  get isIntact(): boolean {
    return !this.#tail || this.#tail.parentNode?.parentNode === this.code;
  }

  /** Shows `source` without its last line ending. */
  render(source: string): void {
    const text = source.replace(/\n$/, '');
    if (!beginsWith(text, this.#shown)) {
      this.code.replaceChildren();
      this.#tail = null;
      this.#shown = '';
    }
    this.#append(text.slice(this.#shown.length));
    this.#shown = text;
  }

  #append(text: string): void {
    for (let start = 0; start < text.length;) {
      if (!this.#tail || (this.#tail.length >= chunkLength && this.#tail.data.endsWith('\n'))) {
        this.#tail = document.createTextNode('');
        this.code.appendChild(createElement('span')).append(this.#tail);
      }
      // An element ends at a line ending, because its edge breaks the line.
      const newline = text.indexOf('\n', start + Math.max(0, chunkLength - this.#tail.length - 1));
      const end = newline < 0 ? text.length : newline + 1;
      this.#tail.appendData(text.slice(start, end));
      start = end;
    }
  }
}
