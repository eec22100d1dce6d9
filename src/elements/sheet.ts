/** A page of the panel that covers the conversation until the visitor goes back: the frame of the extras that need one. */
import { css, html, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { icon } from './icons.ts';
import { PrivateElement } from './private-element.ts';

const backIcon = icon('m15 5-7 7 7 7', 'directed');

export class SheetElement extends PrivateElement {
  protected readonly store = new StoreController(this, undefined, (_state, { type }) => {
    // It may show something of a conversation that is hidden now.
    if (type === 'cleared' || type === 'locked' || type === 'suspended') this.close();
  });

  constructor() {
    super();
    this.addEventListener('keydown', this.#onKeydown);
  }

  protected override firstUpdated(): void {
    this.querySelector<HTMLElement>('.back')?.focus();
  }

  /** Goes back to the conversation. */
  close(): void {
    const panel = this.closest('workspace-chat-panel');
    if (panel) panel.sheet = null;
  }

  /** @param back Goes back by one step. */
  protected frame(title: string, label: string, content: unknown, back = () => this.close()): TemplateResult {
    return html`
      <div class="sheet-head">
        <button class="icon-button back" part="icon-button" title=${label} @click=${back}>${backIcon}</button>
        <h3>${title}</h3>
      </div>
      <div class="sheet-body">${content}</div>
    `;
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
    // Escape closes the page, not the panel.
    event.preventDefault();
    event.stopPropagation();
    this.close();
  };
}

export const sheetStyles = css`
  :is(workspace-chat-mail, workspace-chat-history) ~ :not(.announcer) {
    display: none;
  }

  :is(workspace-chat-mail, workspace-chat-history) {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-block-size: 0;
  }

  .sheet-head {
    display: flex;
    align-items: center;
    gap: 0.25em;
    padding: 0.4em;
    border-block-end: 1px solid var(--_border);
  }

  .sheet-head h3 {
    margin: 0;
    font-size: 1em;
    font-weight: 600;
  }

  .sheet-body {
    flex: 1;
    min-block-size: 0;
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: var(--_space);
    scrollbar-width: thin;
  }

  .sheet-body form {
    display: grid;
    justify-items: start;
    gap: 0.75em;
  }

  .sheet-body label {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.3em;
    inline-size: 100%;
  }

  .sheet-body input {
    padding-block: 0.5em;
  }

  .sheet-body .problem {
    color: var(--_danger);
  }

  /* It stays in the document, so that its text is announced. */
  .sheet-body .problem:empty {
    margin-block-start: -0.75em;
  }

  @container (width < 15em) {
    :is(.sheet-head, .sheet-body) {
      padding-inline: 0.25em;
    }
  }
`;
