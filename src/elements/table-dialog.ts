/** Shows a table that is too wide for its message in a dialog as large as the screen allows. Loaded when the first one is opened. */
import { css, html, type TemplateResult } from 'lit';
import { adoptStyles } from '../markdown/late-renderers.ts';
import { defineElements } from './define-elements.ts';
import { icon } from './icons.ts';
import { SheetElement } from './sheet.ts';

const tableDialogStyles = css`
  .table-dialog {
    inline-size: fit-content;
    max-inline-size: calc(100vw - 1.5em);
    max-block-size: calc(100dvh - 1.5em);
    padding: 0;
    overflow: hidden;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: var(--_shadow);
    color: var(--_text);
  }

  .table-dialog[open] {
    display: flex;
    flex-direction: column;
  }

  .table-dialog::backdrop {
    background: rgb(0 0 0 / 40%);
  }

  .table-dialog .icon-button {
    flex: none;
    align-self: end;
    margin: 0.4em;
  }

  .table-dialog .md-content {
    display: flex;
    min-block-size: 0;
  }

  .table-dialog .md-table {
    --_paper: var(--_surface);

    flex: 1;
    padding: 0 var(--_space) var(--_space);
    overflow: auto;
    overscroll-behavior: contain;
  }

  .table-dialog th {
    position: sticky;
    inset-block-start: 0;
    background: var(--_surface);
  }
`;

const closeIcon = icon('M6 6l12 12M18 6L6 18');

class TableDialogElement extends SheetElement {
  static override properties = { source: { attribute: false } };

  /** The scrolling box of the table in the message. */
  declare source: HTMLElement;
  /** A reply that streams adds rows. */
  readonly #rows = new MutationObserver(() => this.requestUpdate());

  protected override onConnected(): void {
    this.#rows.observe(this.source, { subtree: true, childList: true, characterData: true });
    // A modal dialog in a hidden panel would make the page inert.
    const panel = this.closest('.panel');
    for (const type of ['toggle', 'close']) panel?.addEventListener(type, this.#close, { signal: this.connection });
  }

  protected override firstUpdated(): void {
    this.querySelector('dialog')!.showModal();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#rows.disconnect();
    // A chat that is moved takes the dialog out of the top layer.
    this.close();
    (this.source.nextElementSibling as HTMLElement | null)?.focus();
  }

  protected override render(): TemplateResult {
    const { source } = this;
    const { close } = this.store.strings.code;
    const name = source.ariaLabel ?? '';
    const language = source.closest('[lang]')?.getAttribute('lang') ?? '';
    const dir = getComputedStyle(source).direction;
    return html`<dialog class="table-dialog" aria-label=${name} @close=${this.#close} @click=${this.#onClick}>
      <button class="icon-button" part="icon-button" title=${close} @click=${this.#close}>${closeIcon}</button>
      <div class="md-content">
        <div class="md-table" tabindex="0" role="region" aria-label=${name} dir=${dir} lang=${language}>
          ${source.firstElementChild!.cloneNode(true)}
        </div>
      </div>
    </dialog>`;
  }

  override close(): void {
    const panel = this.closest('workspace-chat-panel');
    if (panel) panel.dialog = null;
  }

  readonly #close = (): void => this.close();

  readonly #onClick = (event: Event): void => {
    // A click beside the dialog.
    if ((event.target as Element).matches('dialog')) this.close();
  };
}

/** @param scroller The scrolling box of a table. */
export const showWholeTable = (scroller: HTMLElement): void => {
  defineElements({ 'workspace-chat-table': TableDialogElement });
  adoptStyles(scroller, tableDialogStyles);
  const dialog = Object.assign(document.createElement('workspace-chat-table'), { source: scroller });
  const panel = scroller.closest('workspace-chat-panel');
  // The message may have been removed while the file was loaded.
  if (panel) panel.dialog = dialog;
};
