/** Keeps a full-screen panel inside what the on-screen keyboard leaves free: phones move it under the keyboard. */
import type { LitElement, ReactiveController } from 'lit';

export class ViewportController implements ReactiveController {
  /** The box that fills the screen, when it does. */
  readonly #surface: () => HTMLElement | null;
  #ended = new AbortController();

  constructor(host: LitElement, surface: () => HTMLElement | null) {
    this.#surface = surface;
    host.addController(this);
  }

  hostConnected(): void {
    this.#ended = new AbortController();
    const { signal } = this.#ended;
    for (const type of ['resize', 'scroll']) {
      globalThis.visualViewport?.addEventListener(type, this.#fit, { signal });
    }
  }

  hostDisconnected(): void {
    this.#ended.abort();
  }

  hostUpdated(): void {
    this.#fit();
  }

  readonly #fit = (): void => {
    const surface = this.#surface();
    const { visualViewport } = globalThis;
    if (!surface || !visualViewport) return;
    // A page that is zoomed by two fingers is read in parts, and is left as it is.
    const isKeyboard = visualViewport.scale === 1 && innerHeight - visualViewport.height > 60;
    const set = (name: string, value: string) =>
      value ? surface.style.setProperty(name, value) : surface.style.removeProperty(name);
    set('--_viewport-height', isKeyboard ? `${visualViewport.height}px` : '');
    set('--_viewport-top', isKeyboard ? `${visualViewport.offsetTop}px` : '');
  };
}
