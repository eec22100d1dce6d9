/** Draws Markdown that is being written: only what is still open is touched, everything closed keeps its nodes. */
import type { BlockParser } from './block-parser.ts';
import { CodeView } from './code-view.ts';
import { copyCode, labelCopyButton } from './copy.ts';
import { createElement, setAttribute, takeDirection } from './create-element.ts';
import { visibleParagraph } from './heal.ts';
import { InlineView, type Definitions } from './inline-view.ts';
import { OverflowRegions } from './overflow.ts';
import { MarkdownReader } from './reader.ts';
import type { Block, Code, Heading, Item, List, Paragraph, Quote, Rule, Table } from './syntax-tree.ts';
import { TableView } from './table-view.ts';
import { taskOf } from './task.ts';

export interface MarkdownLabels {
  /** The copy button of a code block, and what it says when it has copied. */
  copy: string;
  copied: string;
  /** Accessible name of a code block's region, given its language or ''. */
  code(language: string): string;
}

export interface MarkdownOptions {
  labels: MarkdownLabels;
  /** A link was activated; return false to have the click prevented. */
  onLink?: (url: string, event: Event) => unknown;
}

/** What was drawn for a block. */
interface Drawn {
  /** Blocks of another kind need another element. */
  kind: string;
  element: HTMLElement;
  children: DrawnChildren;
  /** Brings the element up to the block; `open`: more may come. */
  draw(block: Block, open: boolean): void;
}

interface DrawnChildren {
  host: HTMLElement;
  drawn: Drawn[];
  /** How many of the first ones never change again. */
  settled: number;
}

/** A message stands under the panel's own headings. */
const firstHeadingLevel = 3;

export class MarkdownView implements Definitions {
  #container: HTMLElement;
  #options: MarkdownOptions;
  #labels: MarkdownLabels;
  #reader = new MarkdownReader();
  #root: DrawnChildren;
  #regions = new OverflowRegions((scroller) => this.#regionName(scroller));
  /** Where labels are referred to that are not defined yet. */
  #undefined = new Map<string, Set<InlineView>>();

  /** Draws into `container`, whose children are the view's own from now on. */
  constructor(container: HTMLElement, options: MarkdownOptions) {
    this.#container = container;
    this.#options = options;
    this.#labels = options.labels;
    this.#root = this.#startOver();
    container.addEventListener('click', (event) => this.#activate(event));
    container.addEventListener('auxclick', (event) => this.#activate(event));
  }

  /**
   * Shows `text`, the whole text so far. A text that continues the last one costs only what is new; any other starts
   * over. Until `final`, half-open syntax is shown as if it were closed, or not at all.
   */
  update(text: string, final = false): void {
    if (!this.#reader.continues(text)) this.#root = this.#startOver();
    if (!this.#reader.read(text, final)) return;
    this.#drawChildren(this.#root, this.#blocks.document.children, !final);
    for (const key of this.#blocks.defined.splice(0)) {
      this.#undefined.get(key)?.forEach((view) => view.redraw());
      this.#undefined.delete(key);
    }
  }

  /** Changes the labels in place, when the language changes. */
  setLabels(labels: MarkdownLabels): void {
    this.#labels = labels;
    for (const button of this.#container.querySelectorAll('.md-copy')) labelCopyButton(button, labels);
    for (const region of this.#container.querySelectorAll<HTMLElement>('[role=region]'))
      setAttribute(region, 'aria-label', this.#regionName(region));
  }

  get definitions(): ReadonlyMap<string, string> {
    return this.#blocks.definitions;
  }

  onUndefined(key: string, view: InlineView): void {
    const views = this.#undefined.get(key);
    if (views) views.add(view);
    else this.#undefined.set(key, new Set([view]));
  }

  get #blocks(): BlockParser {
    return this.#reader.blocks;
  }

  #startOver(): DrawnChildren {
    this.#reader = new MarkdownReader();
    this.#undefined.clear();
    this.#regions.disconnect();
    const host = createElement('div', { class: 'md-content' });
    this.#container.replaceChildren(host);
    return { host, drawn: [], settled: 0 };
  }

  // --- Drawing

  /** Draws blocks into their container's element; `open`: the last of them may still grow. */
  #drawChildren(children: DrawnChildren, blocks: readonly Block[], open: boolean): void {
    const { host, drawn } = children;
    for (let index = children.settled; index < blocks.length; index++) {
      const block = blocks[index]!;
      let current = drawn[index];
      if (current?.kind !== kindOf(block)) {
        const created = this.#create(block);
        if (current) current.element.replaceWith(created.element);
        else host.append(created.element);
        drawn[index] = current = created;
      }
      current.draw(block, open && index === blocks.length - 1 && !block.settled);
      if (block.settled && index === children.settled) children.settled++;
    }
    while (drawn.length > blocks.length) drawn.pop()!.element.remove();
  }

  #create(block: Block): Drawn {
    const kind = kindOf(block);
    const drawnAs = (element: HTMLElement, draw: Drawn['draw']): Drawn => ({
      kind,
      element,
      children: { host: element, drawn: [], settled: 0 },
      draw,
    });
    if (block.type === 'code') {
      const view = new CodeView(languageOf(block), this.#labels.copy);
      this.#regions.observe(view.pre, view.code);
      return drawnAs(view.element, ({ text }: Code) => view.draw(text));
    }
    if (block.type === 'table') {
      const view = new TableView(this);
      this.#regions.observe(view.element, view.table);
      return drawnAs(view.element, (table: Table, open) => view.draw(table, open));
    }
    const element = createElement(kind as 'p');
    if (block.type === 'paragraph' || block.type === 'heading') {
      const view = new InlineView(element, this);
      element.dir = 'auto';
      return drawnAs(element, (text: Paragraph | Heading, open) => drawText(view, text, open));
    }
    const drawn = drawnAs(element, (container: Quote | List | Item | Rule, open) => {
      if (container.type === 'rule') return;
      this.#drawChildren(drawn.children, container.children, open);
      if (container.type === 'list') drawList(element, container);
      else takeDirection(element, firstText(drawn));
    });
    return drawn;
  }

  // --- What the visitor does

  #activate(event: Event): void {
    const target = event.target as Element;
    const link = target.closest('a[href]');
    const button = target.closest('.md-copy');
    if (link && this.#options.onLink?.(link.getAttribute('href')!, event) === false) event.preventDefault();
    if (button && event.type === 'click') void copyCode(button, () => this.#labels);
  }

  #regionName(scroller: HTMLElement): string {
    const code = scroller.closest('.md-code');
    if (code) return this.#labels.code(code.querySelector('.md-code-language')!.textContent);
    return Array.from(scroller.querySelectorAll('th'), (header) => header.textContent).join(', ');
  }
}

/** The element that a block's direction comes from: lists have none of their own. */
const firstText = ({ children, element }: Drawn): HTMLElement => {
  const first = children.drawn[0];
  return first ? firstText(first) : element;
};

const drawList = (element: HTMLElement, { start, loose }: List): void => {
  setAttribute(element, 'start', start === null || start === 1 ? null : String(start));
  setAttribute(element, 'class', loose ? null : 'md-tight');
};

const drawText = (view: InlineView, block: Paragraph | Heading, open: boolean): void => {
  const { done, text } = taskOf(block);
  const box = view.taskBox(done !== null);
  view.draw(open && block.type === 'paragraph' ? visibleParagraph(text) : text.trimEnd(), open);
  if (!box) return;
  box.checked = done!;
  setAttribute(box, 'aria-label', view.element.textContent);
};

/** What decides whether a block can go on in the element of another: its tag, and the language of code. */
const kindOf = (block: Block): string => {
  switch (block.type) {
    case 'paragraph':
      return 'p';
    case 'heading':
      return `h${Math.min(6, block.level + firstHeadingLevel - 1)}`;
    case 'quote':
      return 'blockquote';
    case 'list':
      return block.start === null ? 'ul' : 'ol';
    case 'item':
      return 'li';
    case 'rule':
      return 'hr';
    case 'code':
      return `code ${languageOf(block)}`;
    default:
      return 'table';
  }
};

const languageOf = ({ info }: Code): string => /^\S{0,40}/.exec(info)![0];
