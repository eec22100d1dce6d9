/** Places the launcher and the panel in the top layer or in the page's, moves focus, and hides both while a modal dialog of the page is open. */
import type { LitElement, ReactiveController } from 'lit';
import { afterPaint, nextTask } from '../controllers/after-paint.ts';
import type { PanelHost } from './chat-host.ts';
import { PageModals } from './page-modals.ts';

/** The media query under which the panel fills the screen as a modal dialog: phones, in both orientations. */
const narrow = '(width < 480px), (height < 480px)';

export class SurfaceController implements ReactiveController {
  readonly #host: PanelHost;
  readonly #modals: PageModals;
  readonly #narrow = matchMedia(narrow);
  #ended = new AbortController();
  #isOpen = false;
  #isRendering = false;

  constructor(host: PanelHost) {
    this.#host = host;
    this.#modals = new PageModals(host.element, () => this.#place());
    host.element.addController(this);
  }

  hostConnected(): void {
    this.#ended = new AbortController();
    this.#narrow.addEventListener('change', () => this.#reopen(), { signal: this.#ended.signal });
    this.#modals.connect();
  }

  hostDisconnected(): void {
    this.#ended.abort();
    this.#modals.disconnect();
    this.#isOpen = false;
  }

  hostUpdated(): void {
    const content = this.#dialog?.firstElementChild as LitElement | null | undefined;
    if (content?.hasUpdated === false) void this.#placeRendered(content);
    else this.#place();
  }

  readonly onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    this.#host.open = false;
  };

  /** Handles Escape or a back gesture, before the browser closes the modal dialog. */
  readonly onCancel = (event: Event): void => {
    if (event.target !== this.#dialog) return;
    event.preventDefault();
    this.#host.open = false;
  };

  /** Handles a modal dialog that the browser has closed without a cancelable event. */
  readonly onClose = (event: Event): void => {
    if (event.target === this.#dialog && this.#isOpen && !this.#isShown && !this.#modals.isShown)
      this.#host.open = false;
  };

  get #dialog(): HTMLDialogElement | null {
    return this.#host.element.renderRoot.querySelector('dialog');
  }

  /** The element of the panel or of the page that has focus. */
  get #focused(): Element | null {
    return this.#host.element.shadowRoot?.activeElement ?? document.activeElement;
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
    const { launcher, isFloating, element, open } = this.#host;
    const dialog = this.#dialog;
    if (!element.isConnected || !isFloating || !dialog || this.#isRendering) return;
    // A modal dialog of the page makes everything else inert: launcher and panel would cover it without working.
    const isAside = !dialog.matches(':modal') && this.#modals.isShown;
    const isInPage = element.layer === 'page';
    if (isInPage && launcher) launcher.popover = null;
    else if (launcher?.matches(':popover-open') === isAside) {
      launcher.popover = 'manual';
      launcher.togglePopover(!isAside);
    }
    // The layer has changed.
    if (dialog.matches(isInPage ? ':popover-open' : '[open]:not(:modal)')) this.#reopen();
    if (open && !isAside && !this.#isShown) this.#show(dialog);
    else if ((!open || isAside) && this.#isShown) this.#close(dialog);
    if (open !== this.#isOpen) this.#moveFocus(open);
  }

  #show(dialog: HTMLDialogElement): void {
    const before = document.activeElement;
    const isModal = this.#narrow.matches;
    dialog.popover = isModal ? null : 'manual';
    // Chromium reports each dialog in the top layer as modal.
    dialog.ariaModal = String(isModal);
    // Otherwise the browser would focus the first control in the panel, for a moment.
    dialog.autofocus = true;
    if (isModal) dialog.showModal();
    else if (this.#host.element.layer === 'page') dialog.show();
    else dialog.showPopover();
    dialog.autofocus = false;
    // Showing a dialog moves focus into a dialog, which only the visitor's own action may do.
    if (isModal || this.#host.opening || document.activeElement !== this.#host.element) return;
    if (before instanceof HTMLElement && before !== document.body) before.focus({ preventScroll: true });
    else dialog.blur();
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
    const { activeElement } = document;
    const isLost = !activeElement || activeElement === document.body || activeElement === host.element;
    const opener = host.opening?.from?.isConnected ? host.opening.from : host.launcher?.querySelector('button');
    // Focus that the visitor has moved to the page stays there.
    if (isLost) opener?.focus();
    host.opening = null;
  }

  /** Focusing at once would lay out the panel once more before it is painted. Focus that the visitor moves before then stays. */
  async #focusAfterPaint(): Promise<void> {
    const before = this.#focused;
    await afterPaint();
    if (this.#host.opening && this.#focused === before) this.focusPanel();
  }

  /** Focuses the composer, or on touch screens the panel: the on-screen keyboard would cover the messages. */
  focusPanel(): void {
    const dialog = this.#dialog;
    if (matchMedia('(pointer: coarse)').matches) dialog?.focus();
    else dialog?.querySelector('workspace-chat-panel')?.focus();
  }

  #reopen(): void {
    const dialog = this.#dialog;
    if (!dialog || !this.#isShown) return;
    const inside = this.#host.element.shadowRoot?.activeElement;
    this.#close(dialog);
    this.#show(dialog);
    if (inside instanceof HTMLElement) inside.focus();
  }
}
