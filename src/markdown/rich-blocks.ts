/** Code blocks and tables, with the behavior that only they have. */
import { CodeView } from './code-view.ts';
import { copyText, labelCopyButton, type MarkdownLabels } from './copy.ts';
import { createElement, setAttribute } from './create-element.ts';
import type { Definitions } from './inline-view.ts';
import { colorCode, showWholeTable } from './late-renderers.ts';
import { OverflowRegions } from './overflow.ts';
import type { Code, Table } from './syntax-tree.ts';
import { TableView } from './table-view.ts';
import { joinTexts } from './join-texts.ts';

/** The button that shows a whole table. */
const wholeTableButton = '.md-table + button';

/** A code block or a table in the document. */
export interface RichBlock {
  element: HTMLElement;
  render(block: Code | Table, open: boolean): void;
  isIntact(): boolean;
}

/** The code blocks and tables of one view. */
export class RichBlocks {
  readonly #container: HTMLElement;
  readonly #source: Definitions;
  readonly #labels: () => MarkdownLabels;
  readonly #regions = new OverflowRegions((scroller) => this.#regionName(scroller));

  constructor(container: HTMLElement, source: Definitions, labels: () => MarkdownLabels) {
    this.#container = container;
    this.#source = source;
    this.#labels = labels;
    container.addEventListener('click', ({ target }) => this.#onClick(target as Element));
  }

  /** @param language The language of a code block. */
  create(block: Code | Table, language: string): RichBlock {
    if (block.type === 'code') {
      const view = new CodeView(language, this.#labels().code.copy);
      this.#regions.observe(view.pre, view.code);
      const render = ({ text, settled }: Code) => {
        view.render(text);
        if (settled) colorCode(view.code, language);
      };
      return { element: view.element, render, isIntact: () => view.isIntact };
    }
    const view = new TableView(this.#source, this.#labels().code.table);
    this.#regions.observe(view.scroller, view.table);
    return {
      element: view.element,
      render: (table: Table, open) => view.render(table, open),
      isIntact: () => view.isIntact,
    };
  }

  /** Shows the current labels in place. */
  updateLabels(): void {
    const labels = this.#labels();
    const { code, problems } = labels;
    for (const button of this.#container.querySelectorAll('.md-copy')) labelCopyButton(button, labels);
    for (const button of this.#container.querySelectorAll(wholeTableButton)) {
      button.textContent = code.table;
      if (button.nextElementSibling) button.nextElementSibling.textContent = problems.network;
    }
    for (const region of this.#container.querySelectorAll<HTMLElement>('[role=region]'))
      setAttribute(region, 'aria-label', this.#regionName(region));
  }

  /** Stops observing the blocks, which have been removed. */
  disconnect(): void {
    this.#regions.disconnect();
  }

  #onClick(target: Element): void {
    if (target.matches(wholeTableButton)) void this.#showWholeTable(target);
    const button = target.closest('.md-copy');
    const pre = button?.closest('.md-code')!.querySelector('pre');
    if (button && pre) void copyText(button, pre.textContent, pre, this.#labels);
  }

  /** A click on the button tries again. */
  async #showWholeTable(button: Element): Promise<void> {
    button.nextElementSibling?.remove();
    await showWholeTable(button.previousElementSibling as HTMLElement).catch(() => {
      const problem = createElement('p', { class: 'problem', role: 'alert' });
      problem.textContent = this.#labels().problems.network;
      button.nextElementSibling?.remove();
      button.after(problem);
    });
  }

  #regionName(scroller: HTMLElement): string {
    const code = scroller.closest('.md-code');
    if (code) return this.#labels().code.code(code.querySelector('.md-code-language')!.textContent);
    return joinTexts([...scroller.querySelectorAll('th')].map((header) => header.textContent));
  }
}
