/** Finds the modal dialogs of the page: those of the browser, and other elements that a script shows with `aria-modal="true"`. */

const selector = '[aria-modal="true"]';

const isVisible = (element: Element): boolean =>
  // Safari 17.0 to 17.3 lack checkVisibility().
  element.checkVisibility?.({ checkVisibilityCSS: true }) ?? element.getClientRects().length > 0;

/** Returns the elements with `aria-modal` around the place of an event, also in the shadow roots of other components. */
const modalsAround = (event: Event): Element[] =>
  event.composedPath().filter((node) => node instanceof Element && node.matches(selector)) as Element[];

export class PageModals {
  readonly #chat: Element;
  readonly #onChange: () => void;
  readonly #attributes = new MutationObserver(() => this.#update());
  /** Notifies when an element is shown, hidden or removed, whatever the reason. */
  readonly #boxes = new ResizeObserver(() => this.#onChange());
  readonly #followed = new Set<Element>();
  #ended = new AbortController();

  /** @param chat The element that is not part of a modal dialog, unless it is inside. */
  constructor(chat: Element, onChange: () => void) {
    this.#chat = chat;
    this.#onChange = onChange;
  }

  /** Whether one of them is shown. */
  get isShown(): boolean {
    const isOther = (element: Element) =>
      element.matches(selector) && !element.contains(this.#chat) && isVisible(element);
    return document.querySelector('dialog:modal') !== null || [...this.#followed].some(isOther);
  }

  connect(): void {
    this.#ended = new AbortController();
    this.#attributes.observe(document, { subtree: true, attributes: true, attributeFilter: ['open', 'aria-modal'] });
    // A dialog that a script adds takes the focus. Observing all changes of the page would cost more.
    document.addEventListener('focusin', this.#onFocus, { capture: true, passive: true, signal: this.#ended.signal });
    this.#follow();
  }

  disconnect(): void {
    this.#ended.abort();
    this.#attributes.disconnect();
    this.#boxes.disconnect();
    this.#followed.clear();
  }

  readonly #onFocus = (event: Event): void => this.#update(modalsAround(event));

  #update(others: readonly Element[] = []): void {
    this.#follow(others);
    this.#onChange();
  }

  #follow(others: readonly Element[] = []): void {
    for (const element of this.#followed) {
      if (element.isConnected) continue;
      this.#boxes.unobserve(element);
      this.#followed.delete(element);
    }
    for (const element of [...document.querySelectorAll(selector), ...others]) {
      if (this.#followed.has(element)) continue;
      this.#followed.add(element);
      this.#boxes.observe(element);
    }
  }
}
