/** Brings the panel into the top layer, keeps the focus where people expect it, and steps aside for others. */
import type { LitElement, ReactiveController } from 'lit';

/** The element whose panel it is. */
export interface SurfaceHost extends LitElement {
  open: boolean;
  readonly isFloating: boolean;
  /** Set by an opening of the visitor's own: where the focus came from, and goes back to. */
  opening: { from: HTMLElement | null } | null;
  readonly launcher: HTMLElement | null;
}

/** Narrower than this the panel takes the whole screen, and all of the attention. */
const narrow = '(width < 480px)';

const hasModal = () => document.querySelector('dialog:modal') !== null;

export class SurfaceController implements ReactiveController {
  readonly #host: SurfaceHost;
  readonly #modals = new MutationObserver(() => this.#place());
  readonly #narrow = matchMedia(narrow);
  #ended = new AbortController();
  #isOpen = false;

  constructor(host: SurfaceHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#ended = new AbortController();
    this.#narrow.addEventListener('change', () => this.#reopen(), { signal: this.#ended.signal });
    this.#modals.observe(document, { subtree: true, attributes: true, attributeFilter: ['open'] });
  }

  hostDisconnected(): void {
    this.#ended.abort();
    this.#modals.disconnect();
    this.#isOpen = false;
  }

  hostUpdated(): void {
    this.#place();
  }

  readonly onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    this.#host.open = false;
  };

  /** A modal dialog that the browser is about to close, by Escape or a back gesture. */
  readonly onCancel = (event: Event): void => {
    if (event.target !== this.#dialog) return;
    event.preventDefault();
    this.#host.open = false;
  };

  /** Where the browser closed it all the same. */
  readonly onClose = (event: Event): void => {
    if (event.target === this.#dialog && this.#isOpen && !this.#isShown && !hasModal()) this.#host.open = false;
  };

  get #dialog(): HTMLDialogElement | null {
    return this.#host.renderRoot.querySelector('dialog');
  }

  get #isShown(): boolean {
    const dialog = this.#dialog;
    return Boolean(dialog?.open || dialog?.matches(':popover-open'));
  }

  #place(): void {
    const { launcher, isFloating, isConnected, open } = this.#host;
    const dialog = this.#dialog;
    if (!isConnected || !isFloating || !dialog) return;
    // While a modal dialog of the page is open, everything else is inert and would only be in its way.
    const isAside = !dialog.matches(':modal') && hasModal();
    if (launcher?.matches(':popover-open') === isAside) launcher.togglePopover(!isAside);
    if (open && !isAside && !this.#isShown) this.#show(dialog);
    else if ((!open || isAside) && this.#isShown) this.#close(dialog);
    if (open !== this.#isOpen) this.#moveFocus(open);
  }

  #show(dialog: HTMLDialogElement): void {
    if (this.#narrow.matches) {
      dialog.popover = null;
      dialog.showModal();
      return;
    }
    const before = document.activeElement;
    dialog.popover = 'manual';
    dialog.showPopover();
    // The browser moves the focus into a dialog. Only the visitor's own opening may do so.
    if (this.#host.opening || document.activeElement !== this.#host) return;
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
      if (host.opening) this.focusPanel();
      return;
    }
    const { activeElement } = document;
    const isLost = !activeElement || activeElement === document.body || activeElement === host;
    const opener = host.opening?.from?.isConnected ? host.opening.from : host.launcher?.querySelector('button');
    // A visitor who has gone on elsewhere in the page stays there.
    if (isLost) opener?.focus();
    host.opening = null;
  }

  /** Into the composer; on touch screens to the panel, whose messages a keyboard would cover. */
  focusPanel(): void {
    const dialog = this.#dialog;
    if (matchMedia('(pointer: coarse)').matches) dialog?.focus();
    else dialog?.querySelector('workspace-chat-panel')?.focus();
  }

  #reopen(): void {
    const dialog = this.#dialog;
    if (!dialog || !this.#isShown) return;
    const inside = this.#host.shadowRoot?.activeElement;
    this.#close(dialog);
    this.#show(dialog);
    if (inside instanceof HTMLElement) inside.focus();
  }
}
