/** The place of the launcher on the page, and its colors there. */
import type { CSSResult } from 'lit';
import { afterPaint } from '../controllers/after-paint.ts';
import type { PanelHost } from './chat-host.ts';
import { olderBrowsersFile } from './files.ts';

/** Whether neither the element nor the page around it has a color scheme. Its parts follow the system then. */
const lacksScheme = (element: HTMLElement): boolean =>
  getComputedStyle(element).colorScheme === 'normal' && !document.querySelector('meta[name=color-scheme i]');

export class LauncherPlace {
  readonly #host: PanelHost;
  /** Whether the launcher has been painted, and may be in the top layer. */
  #wasPlaced = false;
  /** Whether the chat follows the system, or null when that is to be read. */
  #followsSystem: boolean | null = null;
  /** `PageModals.coverCount` when the launcher was placed last. */
  #coverCount = 0;

  constructor(host: PanelHost) {
    this.#host = host;
  }

  /** Reads the page before an update changes the element: the browser would compute its styles once more for that. */
  willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    this.#followsSystem = this.#wasPlaced && !changed.has('colorScheme') ? lacksScheme(this.#host.element) : null;
  }

  /**
   * Adapts to the page, and moves the launcher to the top layer, but not before its first paint: the browser computes the styles
   * of the page for it.
   */
  async update(): Promise<void> {
    if (!this.#wasPlaced) await afterPaint();
    this.#wasPlaced = true;
    const { element, isFloating, modals } = this.#host;
    if (!element.isConnected) return;
    const followsSystem = this.#followsSystem ?? lacksScheme(element);
    for (const { classList } of element.renderRoot.querySelectorAll('.root'))
      classList.toggle('system-scheme', followsSystem);
    if (!isFloating) return;
    modals.connect();
    // The page may have closed its dialog in the event that has opened the chat.
    modals.check();
    this.#place();
  }

  #place(): void {
    const { launcher, element, modals } = this.#host;
    if (element.layer === 'page') {
      if (launcher) launcher.popover = null;
      return;
    }
    const { isShown, coverCount } = modals;
    // An element that came to the top layer later stands above.
    if (coverCount !== this.#coverCount && launcher?.popover) launcher.hidePopover();
    this.#coverCount = coverCount;
    // A modal dialog of the page makes everything else inert: the launcher would cover it without working.
    if (!launcher || launcher.matches(':popover-open') !== isShown) return;
    launcher.popover = 'manual';
    launcher.togglePopover(!isShown);
  }

  /** Adjusts the colors of tokens in a browser that lacks the newest color functions. */
  async adaptColors(tokens: CSSResult): Promise<void> {
    if (CSS.supports('color', 'light-dark(red, rgb(from red r g b))')) return;
    (await olderBrowsersFile.load().catch(() => null))?.(this.#host.element.shadowRoot!, tokens);
  }
}
