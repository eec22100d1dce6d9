/** Keeps a full-screen panel inside what the on-screen keyboard leaves free: phones move it under the keyboard. */
import type { ReactiveControllerHost } from 'lit';

/** Less than this, in pixels, is a browser's own bar that comes and goes. */
const keyboard = 60;

/** @param find The box that fills the screen, when one does. */
export const fitViewport = (host: ReactiveControllerHost, find: () => HTMLElement | null): void => {
  const fit = () => {
    const surface = find();
    const { visualViewport } = globalThis;
    if (!surface || !visualViewport) return;
    // A page that is zoomed by two fingers is read in parts, and is left as it is.
    const isCovered = visualViewport.scale === 1 && innerHeight - visualViewport.height > keyboard;
    const set = (name: string, value: number) =>
      isCovered ? surface.style.setProperty(name, `${value}px`) : surface.style.removeProperty(name);
    set('--_viewport-height', visualViewport.height);
    set('--_viewport-top', visualViewport.offsetTop);
  };
  let ended = new AbortController();
  host.addController({
    hostConnected() {
      ended = new AbortController();
      const { signal } = ended;
      for (const type of ['resize', 'scroll']) globalThis.visualViewport?.addEventListener(type, fit, { signal });
    },
    hostDisconnected: () => ended.abort(),
    hostUpdated: fit,
  });
};
