/** The base styles of the panel: fields, buttons, focus, and visually hidden text. */
import { css } from 'lit';

export const base = css`
  button,
  textarea,
  input,
  select {
    margin: 0;
    font: inherit;
    letter-spacing: inherit;
    color: inherit;
  }

  /* iOS zooms into a focused field whose font is smaller than 16 pixels. */
  textarea,
  input,
  select {
    font-size: max(1em, 16px);
  }

  input,
  select {
    padding: 0.4em 0.7em;
    border: 1px solid var(--_outline);
    border-radius: var(--_field-radius);
    background: var(--_surface);
    color: var(--_text);
  }

  p,
  h2,
  ul,
  dl,
  dd {
    margin: 0;
  }

  ::placeholder {
    color: var(--_muted);
    opacity: 1;
  }

  /* Mirrors icons that point in a direction. A button may have another direction than the panel. */
  :is([dir='rtl'], [dir='rtl'] :not([dir='ltr'])) > .directed {
    transform: scaleX(-1);
  }

  /* Otherwise forced colors keep the color of an icon that has one of its own. */
  svg {
    forced-color-adjust: auto;
  }

  .dotted {
    stroke-width: 3.5;
  }

  .solid {
    fill: currentcolor;
  }

  :focus-visible,
  .field:focus-within {
    outline: max(2px, 0.125em) solid var(--_accent-text);
    outline-offset: 0.125em;
  }

  .icon-button {
    display: inline-grid;
    place-items: center;
    inline-size: 2.25em;
    block-size: 2.25em;
    min-inline-size: 24px;
    min-block-size: 24px;
    padding: 0;
    /* Forced colors show transparent borders and outlines. */
    border: 1px solid transparent;
    border-radius: var(--_button-radius);
    background: none;
    outline-color: currentcolor;
  }

  .icon-button:hover {
    background: var(--_surface-raised);
    color: var(--_text);
  }

  .button {
    min-block-size: max(2.25em, 24px);
    padding: 0.4em 0.9em;
    border: 1px solid var(--_outline);
    border-radius: var(--_button-radius);
    background: var(--_surface);
    color: var(--_accent-text);
    line-height: 1.3;
  }

  .button:hover:enabled {
    border-color: var(--_accent-text);
    background: var(--_surface-raised);
  }

  .button.primary {
    border-color: var(--_ring);
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 600;
  }

  .button.primary:hover:enabled {
    background: color-mix(in oklab, var(--_accent) 88%, var(--_text));
  }

  .button:disabled {
    border-color: var(--_border);
    background: var(--_surface-raised);
    color: var(--_muted);
    cursor: default;
  }

  a {
    color: var(--_accent-text);
    text-underline-offset: 0.2em;
  }

  /* Nothing in a link changes the order of the text around it, and the other way round. */
  a:not([dir]) {
    unicode-bidi: plaintext;
  }

  /* Generated, so that it is read aloud but not copied. */
  a[data-host]::after {
    content: ' (' attr(data-host) ')';
    unicode-bidi: isolate;
  }

  .visually-hidden,
  .bubble::before {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  /* A run of characters that stay together: see markdown/runs.ts. */
  bdi.short {
    white-space: nowrap;
  }

  /* A longer one is broken only if it is wider than the line, or at its spaces where large text is in a narrow panel. */
  @container (width >= 15em) {
    bdi[dir]:not(.short) {
      display: inline-block;
    }

    /* Also the punctuation behind it stays on its line, which may begin with what follows an inline block. */
    .bubble bdi[dir]:not(.long) {
      display: inline;
      white-space: nowrap;
    }
  }

  /* A cell is as wide as its longest run: its column would break it. */
  .run,
  .md-table bdi {
    white-space: nowrap;
  }

  /* Arabic digits, too, are written from left to right in telephone numbers and dates. */
  bdi[dir='ltr'] {
    unicode-bidi: isolate-override;
  }
`;
