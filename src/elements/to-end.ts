/** The button that leads to the end of the transcript. Its code is loaded soon after the panel. */
import { css, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { adoptStyles } from '../styles/adopt-styles.ts';
import { downIcon } from './action-icons.ts';

const toEndStyles = css`
  .to-end {
    position: absolute;
    inset-block-end: 0.75em;
    inset-inline: 0;
    inline-size: fit-content;
    margin-inline: auto;
    display: flex;
    align-items: center;
    gap: 0.4em;
    padding: 0.5em;
    box-shadow: var(--_shadow);
    font-size: 0.875em;
  }

  /* The button has a row of its own below the messages, so that it covers no field of a form. */
  workspace-chat-transcript:has(form) {
    display: flex;
    flex-direction: column;
  }

  workspace-chat-transcript:has(form) .scroller {
    flex: 1;
    min-block-size: 0;
  }

  workspace-chat-transcript:has(form) .to-end {
    position: static;
    margin-block: 0.4em;
  }

  .to-end span {
    padding-inline-end: 0.4em;
  }
`;

export class ToEndElement extends LitElement {
  static override properties: PropertyDeclarations = { hasNews: { attribute: false } };

  /** Whether there are messages that the reader has not seen. */
  declare hasNews: boolean;
  readonly #chat = new StoreController(this, () => ({}));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(this, toEndStyles);
  }

  protected override render(): TemplateResult {
    return html`<button class="button to-end" part="to-end">
      ${downIcon}
      <span class=${this.hasNews ? '' : 'visually-hidden'}>${this.#chat.strings.newMessages}</span>
    </button>`;
  }
}
