/** The place of the launcher on the page, and its colors there. */
import { afterPaint } from '../controllers/after-paint.ts';
import type { ChatHost } from './chat-host.ts';
import { olderBrowsersFile } from './files.ts';

/** Lets the parts of an element follow the system if neither the element nor the page around it has a color scheme. */
const followPageScheme = (element: HTMLElement): void => {
  const hasScheme =
    getComputedStyle(element).colorScheme !== 'normal' || document.querySelector('meta[name=color-scheme i]');
  for (const root of element.shadowRoot!.querySelectorAll('.root')) root.classList.toggle('system-scheme', !hasScheme);
};

export class LauncherPlace {
  readonly #host: Pick<ChatHost, 'element' | 'launcher'>;
  /** Whether the launcher has been painted, and may be in the top layer. */
  #wasPlaced = false;

  constructor(host: Pick<ChatHost, 'element' | 'launcher'>) {
    this.#host = host;
  }

  /**
   * Adapts to the page, and moves the launcher to the top layer, but not before its first paint: the browser computes the styles
   * of the page for it.
   * @param hasPanel Whether there is a panel, whose surface places both of them.
   */
  async update(hasPanel: () => boolean): Promise<void> {
    if (!this.#wasPlaced) await afterPaint();
    this.#wasPlaced = true;
    const { launcher, element } = this.#host;
    if (!element.isConnected) return;
    followPageScheme(element);
    if (!launcher || hasPanel() || launcher.matches(':popover-open') === (element.layer !== 'page')) return;
    launcher.popover = element.layer === 'page' ? null : 'manual';
    if (launcher.popover) launcher.showPopover();
  }

  /** Adjusts the colors of a browser that lacks the newest color functions. */
  async adaptColors(): Promise<void> {
    if (CSS.supports('color', 'light-dark(red, rgb(from red r g b))')) return;
    (await olderBrowsersFile.load().catch(() => null))?.(this.#host.element.shadowRoot!);
  }
}
