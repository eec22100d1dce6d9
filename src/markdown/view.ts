/** Renders Markdown while it streams: only open blocks are updated, closed blocks keep their nodes. */
import type { BlockParser } from './block-parser.ts';
import type { MarkdownLabels } from './copy.ts';
import { createElement, setAttribute, setDirection } from './create-element.ts';
import { visibleParagraph } from './heal.ts';
import { InlineView, type Definitions } from './inline-view.ts';
import { MarkdownReader } from './reader.ts';
import type { RichBlock, RichBlocks } from './rich-blocks.ts';
import type { Block, Code, Heading, Item, List, Paragraph, Quote, Rule, Table } from './syntax-tree.ts';
import { importRuns, lacksRuns } from './text-runs.ts';
import { taskOf } from './task.ts';

export interface MarkdownOptions {
  labels: MarkdownLabels;
  /** A link to any other host shows its host. Separated by spaces. */
  linkHosts?: string;
  /** Called when a link is activated. Return false to prevent the click. */
  onLink?: (url: string, event: Event) => unknown;
}

let rich: typeof import('./rich-blocks.ts') | null = null;

/** Loads the code of code blocks and tables. */
export const importRichBlocks = async (): Promise<void> => {
  rich ??= await import('./rich-blocks.ts');
};

/** The rendered form of a block. */
interface RenderedBlock {
  /** A block of another kind needs another element. */
  kind: string;
  element: HTMLElement;
  children: RenderedChildren;
  /** Updates the element to the block. `open` means that the block may still grow. */
  render(block: Block, open: boolean): void;
}

interface RenderedChildren {
  host: HTMLElement;
  rendered: RenderedBlock[];
  /** The number of first blocks that never change again. */
  settled: number;
}

/** The level of a message's first heading, below the headings of the panel. */
const firstHeadingLevel = 3;

export class MarkdownView implements Definitions {
  #container: HTMLElement;
  #options: MarkdownOptions;
  #labels: MarkdownLabels;
  #reader = new MarkdownReader();
  #root: RenderedChildren;
  /** The code blocks and tables, or null before the first of them and while their code is not loaded. */
  #rich: RichBlocks | null = null;
  #isFinal = false;
  /** The functions that are loading code. */
  readonly #loading = new Set<() => Promise<void>>();
  /** The blocks that refer to labels that are not defined yet. */
  #undefined = new Map<string, Set<InlineView>>();

  /** @param container An empty element, whose children belong to the view from now on. */
  constructor(container: HTMLElement, options: MarkdownOptions) {
    this.#container = container;
    this.#options = options;
    this.#labels = options.labels;
    this.#root = this.#startOver();
    container.addEventListener('click', (event) => this.#activate(event));
    container.addEventListener('auxclick', (event) => this.#activate(event));
  }

  /**
   * Shows `text`, the whole text so far. A text that continues the last one costs only its new part. Any other text starts
   * over. Until `final`, incomplete syntax is shown as if it were closed, or hidden.
   */
  update(text: string, final = false): void {
    if (!this.#reader.continues(text)) this.#root = this.#startOver();
    if (!this.#reader.read(text, final)) return;
    if (lacksRuns(text)) void this.#renderAfter(importRuns);
    this.#isFinal = final;
    this.#render();
    for (const key of this.#blocks.defined.splice(0)) {
      this.#undefined.get(key)?.forEach((view) => view.rerender());
      this.#undefined.delete(key);
    }
  }

  /** Changes the labels in place when the language changes. */
  setLabels(labels: MarkdownLabels): void {
    this.#labels = labels;
    this.#rich?.updateLabels();
  }

  get definitions(): ReadonlyMap<string, string> {
    return this.#blocks.definitions;
  }

  get linkHosts(): string {
    return this.#options.linkHosts ?? '';
  }

  onUndefined(key: string, view: InlineView): void {
    const views = this.#undefined.get(key);
    if (views) views.add(view);
    else this.#undefined.set(key, new Set([view]));
  }

  get #blocks(): BlockParser {
    return this.#reader.blocks;
  }

  #startOver(): RenderedChildren {
    this.#reader = new MarkdownReader();
    return this.#clear();
  }

  /** Removes everything that is rendered. */
  #clear(): RenderedChildren {
    this.#undefined.clear();
    this.#rich?.disconnect();
    const host = createElement('div', { class: 'md-content' });
    this.#container.replaceChildren(host);
    return { host, rendered: [], settled: 0 };
  }

  /** Renders everything again as soon as code that it needs is loaded. After a failure, the next change tries again. */
  async #renderAfter(load: () => Promise<void>): Promise<void> {
    if (this.#loading.has(load)) return;
    this.#loading.add(load);
    try {
      await load();
      this.#root = this.#clear();
      this.#render();
    } catch {
      // The browser logs the failed request.
    } finally {
      this.#loading.delete(load);
    }
  }

  // --- Rendering

  #render(): void {
    this.#renderChildren(this.#root, this.#blocks.document.children, !this.#isFinal);
  }

  /** Renders blocks into their container. `open` means that the last one may still grow. */
  #renderChildren(children: RenderedChildren, blocks: readonly Block[], open: boolean): void {
    const { host, rendered } = children;
    for (let index = children.settled; index < blocks.length; index++) {
      const block = blocks[index]!;
      let current = rendered[index];
      if (current?.kind !== kindOf(block)) {
        const created = this.#create(block);
        if (current) current.element.replaceWith(created.element);
        else host.append(created.element);
        rendered[index] = current = created;
      }
      current.render(block, open && index === blocks.length - 1 && !block.settled);
      if (block.settled && index === children.settled) children.settled++;
    }
    while (rendered.length > blocks.length) rendered.pop()!.element.remove();
  }

  #create(block: Block): RenderedBlock {
    const kind = kindOf(block);
    const renderKey = (element: HTMLElement, render: RenderedBlock['render']): RenderedBlock => ({
      kind,
      element,
      children: { host: element, rendered: [], settled: 0 },
      render,
    });
    if (block.type === 'code' || block.type === 'table') {
      if (rich) this.#rich ??= new rich.RichBlocks(this.#container, this, () => this.#labels);
      const { element, render } = this.#rich?.create(block, languageOf(block)) ?? this.#createPlain();
      return renderKey(element, render);
    }
    const element = createElement(kind as 'p');
    if (block.type === 'paragraph' || block.type === 'heading') {
      const view = new InlineView(element, this);
      element.dir = 'auto';
      return renderKey(element, (text: Paragraph | Heading, open) => renderText(view, text, open));
    }
    const rendered = renderKey(element, (container: Quote | List | Item | Rule, open) => {
      if (container.type === 'rule') return;
      this.#renderChildren(rendered.children, container.children, open);
      if (container.type === 'list') renderList(element, container);
      else setDirection(element, firstText(rendered));
    });
    return rendered;
  }

  /** Creates the element of a code block or a table whose code is not loaded. A failure is retried at the next block. */
  #createPlain(): RichBlock {
    void this.#renderAfter(importRichBlocks);
    const element = createElement('pre', { dir: 'auto' });
    return {
      element,
      render: (block) => {
        element.textContent = block.type === 'code' ? block.text : block.rows.map((row) => row.join(' | ')).join('\n');
      },
    };
  }

  // --- Events

  #activate(event: Event): void {
    const target = event.target as Element;
    const link = target.closest('a[href]');
    if (link && this.#options.onLink?.(link.getAttribute('href')!, event) === false) event.preventDefault();
  }
}

/** Returns the element that sets the direction of a block. Lists have none of their own. */
const firstText = ({ children, element }: RenderedBlock): HTMLElement => {
  const first = children.rendered[0];
  return first ? firstText(first) : element;
};

const renderList = (element: HTMLElement, { start, loose }: List): void => {
  setAttribute(element, 'start', start === null || start === 1 ? null : String(start));
  setAttribute(element, 'class', loose ? null : 'md-tight');
};

const renderText = (view: InlineView, block: Paragraph | Heading, open: boolean): void => {
  const { done, text } = taskOf(block);
  const box = view.taskBox(done !== null);
  view.render(open && block.type === 'paragraph' ? visibleParagraph(text) : text.trimEnd(), open);
  if (!box) return;
  box.checked = done!;
  setAttribute(box, 'aria-label', view.element.textContent);
};

/** Returns what two blocks must share to use the same element: the tag, and the language of code. */
const kindOf = (block: Block): string => {
  switch (block.type) {
    case 'paragraph':
      return 'p';
    case 'heading':
      return `h${Math.min(6, block.rank + firstHeadingLevel - 1)}`;
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

/** Returns the language of a code block. A table has none. */
const languageOf = (block: Code | Table): string => (block.type === 'code' ? /^\S{0,40}/.exec(block.info)![0] : '');
