/** Places the panel in the top layer or in the page's, moves focus, and hides the panel while a modal dialog of the page is open. */
import type { LitElement, ReactiveController } from 'lit';
import { afterPaint, nextTask } from '../controllers/after-paint.ts';
import { isExpanded, setExpanded } from '../elements/expansion.ts';
import type { PanelElement } from '../elements/panel-body.ts';
import type { PanelHost } from './chat-host.ts';
import type { PageModals } from './page-modals.ts';

/** Returns the element with focus, also in the shadow root of another component. */
const focusedElement = (): Element | null => {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
};

/** Safari 17.0 to 17.3 lack checkVisibility(). */
const isRendered = (element: Element): boolean => element.checkVisibility?.({ checkVisibilityCSS: true }) ?? true;

/** The media query under which the panel fills the screen as a modal dialog: phones, in both orientations, and large text. */
const narrow = '(width < 30em), (height < 30em)';

export class SurfaceController implements ReactiveController {
  readonly #host: PanelHost;
  readonly #modals: PageModals;
  readonly #narrow = matchMedia(narrow);
  #ended = new AbortController();
  #isOpen = false;
  #isRendering = false;
  /** `PageModals.coverCount` when the panel was placed last. */
  #coverCount = 0;
  /** The control of the panel that has focus. */
  #inside: HTMLElement | null = null;
  readonly #box = new ResizeObserver(() => this.#followBox());

  constructor(host: PanelHost) {
    this.#host = host;
    this.#modals = host.modals;
    host.element.addController(this);
    const root = host.element.renderRoot;
    root.addEventListener('focusin', ({ target }) => {
      this.#inside = target as HTMLElement;
    });
    // An element that is moved loses focus. It is connected again by then.
    root.addEventListener('focusout', () => setTimeout(() => this.#forgetFocus()));
  }

  hostConnected(): void {
    this.#ended = new AbortController();
    this.#narrow.addEventListener('change', () => this.#reopen(), { signal: this.#ended.signal });
  }

  hostDisconnected(): void {
    this.#ended.abort();
    this.#box.disconnect();
  }

  hostUpdated(): void {
    const content = this.#dialog?.firstElementChild as LitElement | null | undefined;
    if (content?.hasUpdated === false) void this.#placeRendered(content);
    else this.#place();
  }

  /** Handles an Escape that nothing in the panel has used: it closes a page over the conversation, or makes a wide panel narrow. */
  readonly onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    const dialog = event.currentTarget as Element;
    // The focus may be beside that page: in the header, or on the panel itself.
    if (this.closeTopmost()) return;
    if (isExpanded(dialog) && !dialog.matches(':modal')) setExpanded(dialog, false);
    else this.#host.open = false;
  };

  /** Handles Escape or a back gesture, before the browser closes the modal dialog. */
  readonly onCancel = (event: Event): void => {
    if (event.target !== this.#dialog) return;
    event.preventDefault();
    if (!this.closeTopmost()) this.#host.open = false;
  };

  /** Handles a modal dialog that the browser has closed without a cancelable event. */
  readonly onClose = (event: Event): void => {
    if (event.target === this.#dialog && this.#isOpen && !this.#isShown && !this.#modals.isShown)
      this.#host.open = false;
  };

  /** Focus in the panel moves into the one that the current update puts in its place. A control of the page in a slot keeps it. */
  keepFocus(): void {
    if (this.#panel?.contains(this.#host.element.shadowRoot!.activeElement))
      void this.#host.element.updateComplete.then(() => this.focusPanel());
  }

  get #dialog(): HTMLDialogElement | null {
    return this.#host.element.renderRoot.querySelector('dialog');
  }

  get #panel(): PanelElement | null {
    return this.#host.element.renderRoot.querySelector('workspace-chat-panel');
  }

  /** Closes the menu, or the page that covers the conversation. Returns whether one was open. */
  closeTopmost(): boolean {
    return this.#panel?.closeTopmost() ?? false;
  }

  /** Whether the element with focus is the chat, or in it. */
  #isOurs(focused: Element | null): boolean {
    const { element } = this.#host;
    return element.contains(focused) || element.renderRoot.contains(focused);
  }

  #forgetFocus(): void {
    if (!this.#isOurs(focusedElement())) this.#inside = null;
  }

  get #isShown(): boolean {
    return this.#dialog?.matches(':popover-open, [open]') ?? false;
  }

  /** Shows a panel that is rendered for the first time. Before that it would be styled twice, and both in one task would be long. */
  async #placeRendered(content: LitElement): Promise<void> {
    if (this.#isRendering) return;
    this.#isRendering = true;
    await content.updateComplete;
    await nextTask();
    this.#isRendering = false;
    this.#place();
  }

  #place(): void {
    const { isFloating, element, open } = this.#host;
    const dialog = this.#dialog;
    if (!element.isConnected || !isFloating || !dialog || this.#isRendering) return;
    // The page is followed from the first paint on, and after its changes. An opening may come before.
    if (open && !this.#isShown) this.#modals.check();
    // A modal dialog of the page makes everything else inert: the panel would cover it without working.
    const isAside = this.#modals.isShown;
    // The attribute `layer` has changed, or something around the chat stands above it.
    const other = element.layer === 'page' ? ':popover-open' : '[open]:not(:modal)';
    // A panel that the page hides is open without being modal, until its box has a size again.
    const isInOther = dialog.matches(other) && isRendered(dialog);
    if (isInOther || this.#modals.coverCount !== this.#coverCount) this.#reopen();
    this.#coverCount = this.#modals.coverCount;
    if (open && !isAside && !this.#isShown) this.#show(dialog);
    else if ((!open || isAside) && this.#isShown) this.#close(dialog);
    // An opening is complete when the modal dialog of the page that it came from is closed.
    if (open !== this.#isOpen && (!open || this.#isShown)) this.#moveFocus(open);
    if (!open) this.#host.opening = null;
  }

  #show(dialog: HTMLDialogElement): void {
    const before = focusedElement();
    const inside = this.#inside?.isConnected ? this.#inside : null;
    const isModal = this.#narrow.matches;
    dialog.popover = isModal ? null : 'manual';
    // Chromium reports each dialog in the top layer as modal.
    dialog.ariaModal = String(isModal);
    // Otherwise the browser would focus the first control in the panel, for a moment.
    dialog.autofocus = true;
    if (isModal) this.#showModal(dialog);
    else if (this.#host.element.layer === 'page') dialog.show();
    else dialog.showPopover();
    dialog.autofocus = false;
    // Showing a dialog moves focus into it, which only the visitor's own opening may do.
    if (this.#host.opening && !this.#isOpen) return;
    this.#inside = inside;
    const isOnPage = before instanceof HTMLElement && before !== document.body && !this.#isOurs(before);
    const kept = isOnPage ? before : inside;
    if (isModal) (dialog.matches(':modal') ? inside : kept)?.focus({ preventScroll: true });
    else if (!this.#isOurs(focusedElement())) return;
    else if (kept) kept.focus({ preventScroll: true });
    else dialog.blur();
  }

  /** A modal dialog makes the page inert, also when the page hides it: then it is not modal. */
  #showModal(dialog: HTMLDialogElement): void {
    dialog.showModal();
    this.#box.observe(dialog);
    if (isRendered(dialog)) return;
    dialog.close();
    dialog.show();
  }

  /** The page hides the chat, or shows it again. */
  #followBox(): void {
    const dialog = this.#dialog;
    if (dialog && this.#isShown && this.#narrow.matches && isRendered(dialog) !== dialog.matches(':modal'))
      this.#reopen();
  }

  #close(dialog: HTMLDialogElement): void {
    if (dialog.matches(':popover-open')) dialog.hidePopover();
    else dialog.close();
  }

  #moveFocus(open: boolean): void {
    const host = this.#host;
    this.#isOpen = open;
    if (open) {
      if (host.opening) void this.#focusAfterPaint();
      return;
    }
    const focused = focusedElement();
    const isLost = !focused || focused === document.body || this.#isOurs(focused);
    const opener = host.opening?.from?.isConnected ? host.opening.from : host.launcher?.querySelector('button');
    // Focus that the visitor has moved to the page stays there.
    if (isLost) opener?.focus();
  }

  /** Focusing at once would lay out the panel once more before it is painted. Focus that the visitor moves before then stays. */
  async #focusAfterPaint(): Promise<void> {
    const before = focusedElement();
    await afterPaint();
    if (this.#host.opening && focusedElement() === before) this.focusPanel();
  }

  /** Focuses the composer, or on touch screens the panel: the on-screen keyboard would cover the messages. */
  focusPanel(): void {
    const isTouch = matchMedia('(pointer: coarse)').matches;
    ((isTouch && this.#dialog) || this.#panel)?.focus();
  }

  #reopen(): void {
    const dialog = this.#dialog;
    if (!dialog || !this.#isShown) return;
    this.#close(dialog);
    this.#show(dialog);
  }
}
