/** Renders a table that grows by rows: all rows but the last keep their nodes. Below a table that is too wide stands a button. */
import { createElement, setAttribute } from './create-element.ts';
import { InlineView, type Definitions } from './inline-view.ts';
import type { Alignment, Table } from './syntax-tree.ts';

export class TableView {
  readonly element = createElement('div', { class: 'md-table-box' });
  readonly scroller = createElement('div', { class: 'md-table' });
  readonly table = createElement('table');
  #source: Definitions;
  #head = this.table.createTHead();
  #body = this.table.createTBody();
  #rows: { element: HTMLTableRowElement; cells: InlineView[] }[] = [];

  /** @param label The label of the button that shows the whole table. */
  constructor(source: Definitions, label: string) {
    this.#source = source;
    const button = createElement('button', { class: 'button', part: 'button' });
    button.textContent = label;
    this.scroller.append(this.table);
    this.element.append(this.scroller, button);
  }

  /** Whether the last row is in its place, with the text of its cells. */
  get isIntact(): boolean {
    const last = this.#rows.at(-1);
    return !last || (this.table.contains(last.element) && last.cells.every((cell) => cell.isIntact));
  }

  render({ rows, alignments }: Table, open: boolean): void {
    while (this.#rows.length > rows.length) this.#rows.pop()!.element.remove();
    for (let index = Math.max(0, this.#rows.length - 1); index < rows.length; index++)
      this.#renderRow(index, rows[index]!, alignments, open && index === rows.length - 1);
    const first = this.table.querySelector(':is(th, td)[dir]');
    setAttribute(this.element, 'dir', first?.getAttribute('dir') ?? null);
  }

  #renderRow(index: number, texts: readonly string[], alignments: readonly Alignment[], open: boolean): void {
    const row = (this.#rows[index] ??= {
      element: (index === 0 ? this.#head : this.#body).appendChild(createElement('tr')),
      cells: [],
    });
    // Missing cells are not rendered: a short row under a wide header would have many.
    const count = Math.min(texts.length, alignments.length);
    while (row.cells.length > count) row.cells.pop()!.element.remove();
    for (let column = 0; column < count; column++) {
      const cell = (row.cells[column] ??= this.#addCell(row.element, index === 0));
      setAttribute(cell.element, 'data-align', alignments[column]!);
      cell.render(texts[column]!, open && column === count - 1);
    }
  }

  #addCell(row: HTMLTableRowElement, header: boolean): InlineView {
    const cell = header ? createElement('th', { scope: 'col' }) : createElement('td');
    return new InlineView(row.appendChild(cell), this.#source);
  }
}
