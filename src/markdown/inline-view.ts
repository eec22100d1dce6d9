/** Renders inline content into an element in place: settled and unchanged content keeps its nodes. */
import { createElement, setAttribute } from './create-element.ts';
import { directionOfContent, toDirection, type ContentDirection } from './direction.ts';
import { showFormula } from './late-renderers.ts';
import { parseInline } from './inline-parser.ts';
import { beginsWith } from './reader.ts';
import { classOfRun } from './runs.ts';
import { inlineText, type Inline } from './syntax-tree.ts';
import { hostToShow, safeUrl } from './url.ts';

/**
 * A text whose unsettled part is longer than this is rendered again only after it has grown by a sixteenth. Only hostile
 * input is like that, and its cost must stay linear.
 */
const eagerLength = 2000;

/** A text with more settled nodes than this also waits, until it has grown by a sixteenth as a whole: the browser lays out all its lines again. */
const crowdedNodes = 2000;

export interface Definitions {
  readonly definitions: ReadonlyMap<string, string>;
  /** See `MarkdownOptions`. */
  readonly linkHosts: string;
  /** Whether the view contains a reference to `key`, which is not defined (yet). */
  onUndefined(key: string, view: InlineView): void;
}

export class InlineView {
  readonly element: HTMLElement;
  readonly #source: Definitions;
  /** Returns the first node of the element that does not belong to the text, or null. */
  readonly #end: () => ChildNode | null;
  #text = '';
  #open = false;
  /** The settled start of the text, and its last node. */
  #settledText = '';
  #settledNode: ChildNode | null = null;
  #settledNodes = 0;
  #settledDirection: ContentDirection | undefined;
  /** A node in front of the text. */
  #box: HTMLInputElement | null = null;

  constructor(element: HTMLElement, source: Definitions, end: () => ChildNode | null = () => null) {
    this.element = element;
    this.#source = source;
    this.#end = end;
  }

  get textContent(): string {
    const text = document.createRange();
    text.selectNodeContents(this.element);
    const end = this.#end();
    if (end) text.setEndBefore(end);
    return text.toString();
  }

  /** Whether the nodes are in their places after which the next text is added. Others, such as translators, may move them. */
  get isIntact(): boolean {
    return [this.#settledNode, this.#box, this.#end()].every((node) => !node || node.parentNode === this.element);
  }

  /** Removes the text from its element. */
  remove(): void {
    new Cursor(this.element, null, null, this.#end()).removeRest();
  }

  /** Shows `text`. `open` means that more text may follow. */
  render(text: string, open: boolean): void {
    if (text === this.#text && open === this.#open) return;
    if (open && this.#open && this.#canWait(text.length)) return;
    if (!beginsWith(text, this.#settledText)) this.#unsettle();
    this.#text = text;
    this.#open = open;
    this.#renderUnsettled();
  }

  /** Renders everything again, because a referenced label is now defined. */
  rerender(): void {
    this.#unsettle();
    this.#renderUnsettled();
  }

  /** Adds or removes the checkbox of a task. The visitor cannot change it. */
  taskBox(present: boolean): HTMLInputElement | null {
    if (present === (this.#box !== null)) return this.#box;
    this.#box?.remove();
    this.#box = present ? createElement('input', { class: 'md-task', type: 'checkbox', disabled: '' }) : null;
    if (this.#box) this.element.prepend(this.#box);
    return this.#box;
  }

  #canWait(length: number): boolean {
    const isCrowded = this.#settledNodes > crowdedNodes;
    const waiting = isCrowded ? this.#text.length : this.#text.length - this.#settledText.length;
    const grown = length - this.#text.length;
    return (isCrowded || waiting > eagerLength) && grown >= 0 && grown < waiting / 16;
  }

  #unsettle(): void {
    this.#settledText = '';
    this.#settledNode = null;
    this.#settledNodes = 0;
    this.#settledDirection = undefined;
  }

  #renderUnsettled(): void {
    const start = this.#settledText.length;
    const { content, settledLength, settledCount } = parseInline(this.#text.slice(start), {
      definitions: this.#source.definitions,
      open: this.#open,
      before: this.#settledNode?.textContent?.slice(-3),
      onUndefined: (key) => this.#source.onUndefined(key, this),
    });
    setAttribute(this.element, 'dir', toDirection(directionOfContent(content, this.#settledDirection)));
    const cursor = new Cursor(this.element, this.#settledNode ?? this.#box, this.#source.linkHosts, this.#end());
    content.slice(0, settledCount).forEach((part) => cursor.place(part));
    const settledNode = cursor.previous;
    content.slice(settledCount).forEach((part) => cursor.place(part));
    cursor.removeRest();
    if (settledLength === 0) return;
    this.#settledText = this.#text.slice(0, start + settledLength);
    this.#settledNode = settledNode;
    this.#settledNodes += settledCount;
    this.#settledDirection = directionOfContent(content.slice(0, settledCount), this.#settledDirection);
  }
}

/** A cursor among an element's nodes. It reuses the nodes that follow where they fit. */
class Cursor {
  #parent: HTMLElement;
  /** See `MarkdownOptions`. Null inside a link, which cannot contain another one. */
  #linkHosts: string | null;
  /** The node that follows the cursor. */
  #next: ChildNode | null;
  /** The first node that the cursor may not change. */
  #end: ChildNode | null;

  constructor(parent: HTMLElement, after: ChildNode | null, linkHosts: string | null, end: ChildNode | null = null) {
    this.#parent = parent;
    this.#next = after ? after.nextSibling : parent.firstChild;
    this.#linkHosts = linkHosts;
    this.#end = end;
  }

  /** The node before the cursor. */
  get previous(): ChildNode | null {
    return this.#next ? this.#next.previousSibling : this.#parent.lastChild;
  }

  place(part: Inline): void {
    if (typeof part === 'string') return this.#placeText(part);
    switch (part.type) {
      case 'break':
        this.#element('br');
        return;
      case 'code': {
        const code = this.#element('code');
        // Code is left to right in every language.
        setAttribute(code, 'dir', 'ltr');
        return fillInline(code, [part.text], this.#linkHosts);
      }
      case 'math':
        return showFormula(this.#element('var'), part);
      case 'run': {
        const { url, ...run } = part;
        if (url && this.#linkHosts !== null) return this.#placeLink(url, [run]);
        const element = this.#element(part.dir ? 'bdi' : 'span');
        setAttribute(element, 'dir', part.dir);
        setAttribute(element, 'class', classOfRun(part));
        return fillInline(element, [part.text], null);
      }
      case 'link':
        return this.#placeLink(part.url, part.children);
      case 'image':
        // Text of the agent must not cause requests, so an image becomes a link.
        return this.#placeLink(part.url, part.alt ? [part.alt] : []);
      default:
        return fillInline(this.#element(part.type), part.children, this.#linkHosts);
    }
  }

  removeRest(): void {
    while (this.#next !== this.#end) {
      const node = this.#next!;
      this.#next = node.nextSibling;
      node.remove();
    }
  }

  /** Renders a link, or only its label when the URL is not allowed. */
  #placeLink(address: string, label: Inline[]): void {
    const linkHosts = this.#linkHosts;
    const url = safeUrl(address);
    if (linkHosts === null || !url) return label.forEach((part) => this.place(part));
    const link = this.#element('a');
    setAttribute(link, 'href', url);
    setAttribute(link, 'target', '_blank');
    setAttribute(link, 'rel', 'noopener noreferrer nofollow ugc');
    const text = inlineText(label).trim();
    setAttribute(link, 'data-host', hostToShow(text || url, url, linkHosts));
    fillInline(link, text ? label : [url], null);
  }

  #placeText(text: string): void {
    const node = this.#next;
    if (node instanceof Text) {
      if (node.data !== text) {
        if (beginsWith(text, node.data)) node.appendData(text.slice(node.length));
        else node.data = text;
      }
      this.#next = node.nextSibling;
    } else this.#parent.insertBefore(document.createTextNode(text), node);
  }

  #element(tag: 'a' | 'bdi' | 'br' | 'code' | 'del' | 'em' | 'span' | 'strong' | 'var'): HTMLElement {
    const node = this.#next;
    if (node instanceof HTMLElement && node.localName === tag) {
      this.#next = node.nextSibling;
      return node;
    }
    return this.#parent.insertBefore(createElement(tag), node);
  }
}

/** Shows inline content in an element, whose nodes are reused where they fit. */
export const fillInline = (element: HTMLElement, content: readonly Inline[], linkHosts: string | null): void => {
  const cursor = new Cursor(element, null, linkHosts);
  content.forEach((part) => cursor.place(part));
  cursor.removeRest();
};
