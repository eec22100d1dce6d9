/** Renders Markdown while it streams: only open blocks are updated, closed blocks keep their nodes. */
import type { MarkdownLabels } from './copy.ts';
import { createElement, setAttribute } from './create-element.ts';
import { visibleParagraph } from './heal.ts';
import { missingEntities } from './entities.ts';
import { InlineView, type Definitions } from './inline-view.ts';
import { MarkdownReader } from './reader.ts';
import { RichBlocks } from './rich-blocks.ts';
import type { Block, Code, Heading, Item, List, Paragraph, Quote, Rule, Table } from './syntax-tree.ts';
import { taskOf } from './task.ts';

export interface MarkdownOptions {
  labels: MarkdownLabels;
  /** A link to any other host shows its host. Separated by spaces. */
  linkHosts?: string;
}

/** The rendered form of a block. */
interface RenderedBlock {
  /** A block of another kind needs another element. */
  kind: string;
  /** The element of a lead is that of its item. */
  element: HTMLElement;
  children: RenderedChildren;
  /** Updates the element to the block. `open` means that the block may still grow. */
  render(block: Block, open: boolean): void;
  /** Whether the nodes are in their places that the next `render` relies on. */
  isIntact(): boolean;
  remove(): void;
}

interface RenderedChildren {
  host: HTMLElement;
  rendered: RenderedBlock[];
  /** The number of first blocks that never change again. */
  settled: number;
}

/** What is needed only while a text may still change. */
interface Work {
  reader: MarkdownReader;
  root: RenderedChildren;
  /** The blocks that refer to labels that are not defined yet. */
  waiting: Map<string, Set<InlineView>>;
  /** Whether it is rendered again when the missing character references are loaded. */
  isAwaited: boolean;
}

/** The level of a message's first heading, below the headings of the panel. */
const firstHeadingLevel = 3;

export class MarkdownView implements Definitions {
  readonly linkHosts: string;
  readonly #container: HTMLElement;
  #labels: MarkdownLabels;
  /** Null before the first text, and once a final one is shown: the syntax trees of a transcript would take more memory than its nodes. */
  #work: Work | null = null;
  /** The code blocks and tables, or null before the first of them. */
  #rich: RichBlocks | null = null;
  #isFinal = false;
  /** The final text that is shown. */
  #finalText: string | null = null;

  /** @param container An empty element, whose children belong to the view from now on. */
  constructor(container: HTMLElement, { labels, linkHosts = '' }: MarkdownOptions) {
    this.#container = container;
    this.#labels = labels;
    this.linkHosts = linkHosts;
    // A list of classes would stay in memory for each reply.
    container.className += ' md-content';
  }

  /**
   * Shows `text`, the whole text so far. A text that continues the last one costs only its new part. Any other text starts
   * over. Until `final`, incomplete syntax is shown as if it were closed, or hidden.
   */
  update(text: string, final = false): void {
    if (text === this.#finalText) return;
    if (!this.#work?.reader.continues(text)) {
      this.#work = { reader: new MarkdownReader(), root: this.#clear(), waiting: new Map(), isAwaited: false };
    }
    const work = this.#work;
    if (!work.reader.read(text, final)) return;
    this.#isFinal = final;
    this.#finalText = final ? text : null;
    // A translator or an extension may have wrapped or replaced nodes.
    if (!isIntact(work.root)) this.#startOver(work);
    this.#render(work);
    if (missingEntities() && !work.isAwaited) void this.#renderWithEntities(work);
  }

  /** Changes the labels in place when the language changes. */
  setLabels(labels: MarkdownLabels): void {
    if (labels === this.#labels) return;
    this.#labels = labels;
    this.#rich?.updateLabels();
  }

  get definitions(): ReadonlyMap<string, string> {
    return this.#work!.reader.blocks.definitions;
  }

  onUndefined(key: string, view: InlineView): void {
    const { waiting } = this.#work!;
    const views = waiting.get(key);
    if (views) views.add(view);
    else waiting.set(key, new Set([view]));
  }

  /** Renders everything again when the character references are loaded that the text needs. */
  async #renderWithEntities(work: Work): Promise<void> {
    work.isAwaited = true;
    await missingEntities();
    work.isAwaited = false;
    if (work !== this.#work) return;
    this.#startOver(work);
    this.#render(work);
  }

  /** Removes what is rendered of a text, so that all of it is rendered again. */
  #startOver(work: Work): void {
    work.waiting.clear();
    work.root = this.#clear();
  }

  /** Removes everything that is rendered. */
  #clear(): RenderedChildren {
    this.#rich?.disconnect();
    this.#container.replaceChildren();
    return { host: this.#container, rendered: [], settled: 0 };
  }

  // --- Rendering

  #render(work: Work): void {
    const { reader, root, waiting } = work;
    this.#renderChildren(root, reader.blocks.document.children, !this.#isFinal);
    for (const key of reader.blocks.defined.splice(0)) {
      waiting.get(key)?.forEach((view) => view.rerender());
      waiting.delete(key);
    }
    if (this.#isFinal && !missingEntities()) this.#work = null;
  }

  /** Renders blocks into their container. `open` means that the last one may still grow. */
  #renderChildren(children: RenderedChildren, blocks: readonly Block[], open: boolean): void {
    const { host, rendered } = children;
    for (let index = children.settled; index < blocks.length; index++) {
      const block = blocks[index]!;
      let current = rendered[index];
      if (current?.kind !== kindOf(block)) {
        current?.remove();
        rendered[index] = current = this.#create(block, children);
        if (current.element !== host) host.insertBefore(current.element, rendered[index + 1]?.element ?? null);
      }
      current.render(block, open && index === blocks.length - 1 && !block.settled);
      if (block.settled && index === children.settled) children.settled++;
    }
    while (rendered.length > blocks.length) rendered.pop()!.remove();
  }

  #create(block: Block, siblings: RenderedChildren): RenderedBlock {
    const kind = kindOf(block);
    const rendering = (
      element: HTMLElement,
      render: RenderedBlock['render'],
      isIntact = () => true,
      remove = () => element.remove(),
    ): RenderedBlock => {
      return { kind, element, children: { host: element, rendered: [], settled: 0 }, render, isIntact, remove };
    };
    if (kind === lead) {
      const view = new InlineView(siblings.host, this, () => siblings.rendered[1]?.element ?? null);
      return rendering(
        siblings.host,
        (text: Paragraph, open) => renderText(view, text, open),
        () => view.isIntact,
        () => view.remove(),
      );
    }
    if (block.type === 'code' || block.type === 'table') {
      this.#rich ??= new RichBlocks(this.#container, this, () => this.#labels);
      const { element, render, isIntact } = this.#rich.create(block, languageOf(block));
      return rendering(element, render, isIntact);
    }
    const element = createElement(kind as 'p');
    if (block.type === 'paragraph' || block.type === 'heading') {
      const view = new InlineView(element, this);
      return rendering(
        element,
        (text: Paragraph | Heading, open) => renderText(view, text, open),
        () => view.isIntact,
      );
    }
    const rendered = rendering(element, (container: Quote | List | Item | Rule, open) => {
      if (container.type === 'rule') return;
      if (container.type === 'list') prepareList(rendered, container);
      this.#renderChildren(rendered.children, container.children, open);
      if (container.type !== 'list') renderDirection(rendered);
    });
    return rendered;
  }
}

/** Whether the blocks that may still change are in their places, and so is what they rely on. */
const isIntact = ({ host, rendered, settled }: RenderedChildren): boolean =>
  rendered
    .slice(settled)
    .every(
      (block) =>
        (block.element === host || block.element.parentNode === host) && block.isIntact() && isIntact(block.children),
    );

/** Returns the element that sets the direction of a block. Lists have none of their own. */
const firstText = ({ children, element }: RenderedBlock): HTMLElement => {
  const first = children.rendered[0];
  return first ? firstText(first) : element;
};

/** Sets the attributes of a list before its items are rendered. When it becomes loose, their leads become paragraphs. */
const prepareList = ({ element, children }: RenderedBlock, { start, loose }: List): void => {
  setAttribute(element, 'start', start === null || start === 1 ? null : String(start));
  const className = loose ? null : 'md-tight';
  if (element.getAttribute('class') === className) return;
  setAttribute(element, 'class', className);
  children.settled = 0;
  for (const item of children.rendered) item.children.settled = 0;
};

/** Sets the direction of an item or a quote: that of its first text. A lead sets that of its item. */
const renderDirection = (container: RenderedBlock): void => {
  const text = firstText(container);
  if (text !== container.element) setAttribute(container.element, 'dir', text.getAttribute('dir'));
};

const renderText = (view: InlineView, block: Paragraph | Heading, open: boolean): void => {
  const { done, text } = taskOf(block);
  const box = view.taskBox(done !== null);
  view.render(open && block.type === 'paragraph' ? visibleParagraph(text) : text.trimEnd(), open);
  if (!box) return;
  box.checked = done!;
  setAttribute(box, 'aria-label', view.textContent);
};

/** The kind of the first paragraph of an item in a tight list. Its text is in the item itself, as in HTML of other writers. */
const lead = 'lead';

const isLead = (block: Paragraph): boolean => {
  const { parent } = block;
  return parent.type === 'item' && parent.children[0] === block && !(parent.parent as List).loose;
};

/** Returns what two blocks must share to use the same element: the tag, and the language of code. */
const kindOf = (block: Block): string => {
  switch (block.type) {
    case 'paragraph':
      return isLead(block) ? lead : 'p';
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
