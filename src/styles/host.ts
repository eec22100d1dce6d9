/** The styles of the host element, and the reset that keeps the page's inherited styles out. */
import { css } from 'lit';

export const host = css`
  :host {
    display: contents;
  }

  :host([hidden]),
  .launcher[hidden] {
    display: none;
  }

  :host([mode='inline']) {
    display: block;
    block-size: 100%;
    min-block-size: 20em;
    font-size: var(--_font-size);
  }

  :host([mode='fullscreen']) {
    display: block;
    position: fixed;
    inset: 0;
    font-size: var(--_font-size);
  }

  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }

  /* Resets the inherited text styles of the page. */
  .root {
    font: normal 400 var(--_font-size) / 1.5 var(--_font);
    letter-spacing: normal;
    word-spacing: normal;
    text-align: start;
    text-indent: 0;
    text-transform: none;
    text-shadow: none;
    white-space: normal;
    word-break: normal;
    overflow-wrap: anywhere;
    cursor: auto;
    -webkit-user-select: text;
    user-select: text;
    visibility: visible;
    color: var(--_text);
    -webkit-text-size-adjust: 100%;
    -webkit-tap-highlight-color: transparent;
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
