/** Fits a full-screen panel into the visual viewport above the on-screen keyboard. */
import type { LitElement } from 'lit';

/** Pixels. A smaller difference is a browser toolbar that appears or disappears. */
const keyboard = 60;

/** @param host The public element. Its panel fills the screen in the mode `fullscreen`, and as a modal dialog. */
export const fitViewport = (host: LitElement): void => {
  const fit = () => {
    const selector = host.matches('[mode~=fullscreen]') ? '.panel' : '.panel:modal';
    const surface = host.renderRoot.querySelector<HTMLElement>(selector);
    const { visualViewport } = globalThis;
    if (!surface || !visualViewport) return;
    // Leave a page alone that is enlarged with two fingers. One that is wider than the phone has a scale below 1.
    const isCovered = visualViewport.scale < 1.01 && innerHeight - visualViewport.height > keyboard;
    // The page may have enlarged its body with CSS `zoom`, which also enlarges lengths in pixels.
    const zoom = surface.currentCSSZoom ?? 1;
    const set = (name: string, value: number) =>
      isCovered ? surface.style.setProperty(name, `${value / zoom}px`) : surface.style.removeProperty(name);
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
