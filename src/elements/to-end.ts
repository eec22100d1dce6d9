/** The button that leads to the end of the transcript. */
import { css, html, type PropertyDeclarations, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { downIcon } from './action-icons.ts';
import { PrivateElement } from './private-element.ts';

/** A form, a question of a tool, and the choices that the visitor can still make. */
const controls = 'form, .tool-prompt, :is(.option, [part=time]):enabled';

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
    box-shadow: 0 0.25em 0.75em rgb(15 20 40 / 18%);
    font-size: 0.875em;
  }

  /* The button has a row of its own below the messages, so that it covers no control that waits for the visitor. */
  .with-controls .to-end {
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

  /** A selector with `:has()` would examine all messages whenever one of them changes, also without this button. */
  readonly #controls = new MutationObserver(() => this.#update());
  #transcript: Element | null = null;

  protected override onConnected(): void {
    this.#transcript = this.parentElement;
    if (this.#transcript)
      this.#controls.observe(this.#transcript, { subtree: true, childList: true, attributeFilter: ['disabled'] });
    this.#update();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#controls.disconnect();
    this.#transcript?.classList.remove('with-controls');
  }

  #update(): void {
    this.#transcript?.classList.toggle('with-controls', this.#transcript.querySelector(controls) !== null);
  }

  protected override render(): TemplateResult {
    return html`<button class="button to-end" part="to-end">
      ${downIcon}
      <span class=${this.hasNews ? '' : 'visually-hidden'}>${this.#chat.strings.newMessages}</span>
    </button>`;
  }
}
