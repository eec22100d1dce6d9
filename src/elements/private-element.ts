/** The base of the private elements: they render into themselves, so that the public element's styles and parts apply to them. */
import { LitElement } from 'lit';

export class PrivateElement extends LitElement {
  #connected: AbortController | null = null;

  /** Aborts when the element is removed. A listener with this signal lasts as long as the element is connected. */
  get connection(): AbortSignal {
    return (this.#connected ??= new AbortController()).signal;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    // A browser also calls it when another element, which was called before, has removed this one: then nothing provides the chat.
    if (!this.isConnected) return;
    super.connectedCallback();
    this.onConnected();
  }

  /** Called when the element is added to the document, and still there. */
  protected onConnected(): void {}

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#connected?.abort();
    this.#connected = null;
  }
}
