/** The styles of the host element, and the reset that keeps the page's inherited styles out. */
import { css } from 'lit';

export const host = css`
  /* Nothing of the page is inherited, but for the color scheme. The page's rules for the element itself win over these. */
  :host {
    all: initial;
    display: contents;
    color-scheme: inherit;
  }

  :host([mode~='inline']) {
    display: block;
    block-size: 100%;
    min-block-size: 20em;
    min-inline-size: 0;
    max-inline-size: 100%;
    font-size: var(--_font-size);
  }

  :host([mode~='fullscreen']) {
    display: block;
    position: fixed;
    inset: 0;
    font-size: var(--_font-size);
  }

  /* Below the modes, whose display it replaces. */
  :host([hidden]),
  .launcher[hidden] {
    display: none;
  }

  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }

  /* A rule of the page such as "* { hyphens: auto }" applies to the host, and would be inherited from there. */
  .root {
    all: initial;
    display: block;
    box-sizing: border-box;
    font: normal 400 var(--_font-size) / 1.5 var(--_font);
    overflow-wrap: anywhere;
    -webkit-user-select: text;
    user-select: text;
    visibility: inherit;
    color: var(--_text);
    color-scheme: inherit;
    -webkit-text-size-adjust: 100%;
    -webkit-tap-highlight-color: transparent;
  }

  /* The box of a floating chat is the viewport, so that the opacity of the host would have no effect. */
  :host(:not([mode~='inline'], [mode~='fullscreen'])) .root {
    opacity: inherit;
  }

  .root[popover]:not(:popover-open, [open]) {
    display: none;
  }

  /* The page and the element have no color scheme, so the system decides. See workspace-chat/launcher-place.ts. */
  .root.system-scheme {
    color-scheme: light dark;
  }

  button {
    cursor: pointer;
    touch-action: manipulation;
  }

  svg {
    display: block;
    inline-size: 1.25em;
    block-size: 1.25em;
    fill: none;
    stroke: currentcolor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
    flex: none;
  }
`;
