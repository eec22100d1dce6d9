/** The place of the launcher on the page, and its colors there. */
import type { CSSResult } from 'lit';
import { afterPaint } from '../controllers/after-paint.ts';
import type { PanelHost } from './chat-host.ts';
import { olderBrowsersFile } from './files.ts';

/** Lets the parts of an element follow the system if neither the element nor the page around it has a color scheme. */
const followPageScheme = (element: HTMLElement): void => {
  const hasScheme =
    getComputedStyle(element).colorScheme !== 'normal' || document.querySelector('meta[name=color-scheme i]');
  for (const root of element.shadowRoot!.querySelectorAll('.root')) root.classList.toggle('system-scheme', !hasScheme);
};

export class LauncherPlace {
  readonly #host: PanelHost;
  /** Whether the launcher has been painted, and may be in the top layer. */
  #wasPlaced = false;
  /** `PageModals.coverCount` when the launcher was placed last. */
  #coverCount = 0;

  constructor(host: PanelHost) {
    this.#host = host;
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
    followPageScheme(element);
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
