/** The button that leads to the end of the transcript. */
import { css, html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { downIcon } from './action-icons.ts';
import { PrivateElement } from './private-element.ts';

export const toEndStyles = css`
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
  .with-form {
    display: flex;
    flex-direction: column;
  }

  .with-form .scroller {
    flex: 1;
    min-block-size: 0;
  }

  .with-form .to-end {
    position: static;
    margin-block: 0.4em;
  }

  .to-end span {
    padding-inline-end: 0.4em;
  }
`;

export class ToEndElement extends PrivateElement {
  static override properties: PropertyDeclarations = { hasNews: { attribute: false } };

  /** Whether there are messages that the reader has not seen. */
  declare hasNews: boolean;
  readonly #chat = new StoreController(this);

  /** A selector with `:has(form)` would examine all messages whenever one of them changes, also without this button. */
  readonly #forms = new MutationObserver(() => this.#update());
  #transcript: Element | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#transcript = this.parentElement;
    if (this.#transcript) this.#forms.observe(this.#transcript, { subtree: true, childList: true });
    this.#update();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#forms.disconnect();
    this.#transcript?.classList.remove('with-form');
  }

  #update(): void {
    this.#transcript?.classList.toggle('with-form', this.#transcript.querySelector('form') !== null);
  }

  protected override render(): TemplateResult {
    return html`<button class="button to-end" part="to-end">
      ${downIcon}
      <span class=${this.hasNews ? '' : 'visually-hidden'}>${this.#chat.strings.newMessages}</span>
    </button>`;
  }
}
