/** The styles of all blocks. */
import { css } from 'lit';

export const blockStyles = css`
  workspace-chat-blocks {
    display: contents;
  }

  .blocks,
  .block,
  .block form,
  .form-field,
  .block-list {
    display: grid;
    /* A column may be narrower than its widest field or word. */
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75em;
  }

  .blocks {
    gap: 0.5em;
    inline-size: min(100%, 30em);
  }

  .block {
    padding: 0.85em 0.95em;
    border: 1px solid var(--_border);
    border-radius: var(--_bubble-radius);
    background: var(--_surface);
    font-size: 0.9375em;
    line-height: 1.4;
  }

  .block-options {
    padding: 0.35em 0 0;
    border: 0;
  }

  .block-title,
  .form-field label,
  .price {
    font-weight: 600;
  }

  .block :is(button, li) small {
    display: block;
  }

  .block small {
    font-size: 0.8667em;
    color: var(--_muted);
  }

  .option {
    min-block-size: max(2.6667em, 40px);
    text-align: start;
  }

  .option:has(.chosen) {
    border-color: var(--_success);
    color: var(--_text);
  }

  .chosen::before {
    content: '✓' / '';
    margin-inline-end: 0.4em;
    font-weight: 700;
    color: var(--_success);
  }

  /* A telephone number or a reference fits into its column: the label is broken first. */
  .block-rows {
    display: grid;
    grid-template-columns: fit-content(40%) minmax(9.5em, 1fr);
    gap: 0.35em 1em;
  }

  .block-rows dt {
    color: var(--_muted);
  }

  .block .chip {
    justify-self: start;
    border-color: transparent;
    background: color-mix(in oklab, var(--_tone) 12%, var(--_surface));
    color: color-mix(in oklab, var(--_tone) 85%, var(--_text));
    font-weight: 600;
  }

  .tone-info {
    --_tone: var(--_info);
  }

  .tone-success {
    --_tone: var(--_success);
  }

  .tone-warning {
    --_tone: var(--_warning);
  }

  .tone-danger {
    --_tone: var(--_danger);
  }

  .block-list {
    padding: 0;
    list-style: none;
  }

  .block-list li + li {
    padding-block-start: 0.75em;
    border-block-start: 1px solid var(--_border);
  }

  .product {
    position: relative;
    display: flex;
    gap: 0.75em;
  }

  .tile {
    position: relative;
    flex: none;
    display: grid;
    place-items: center;
    inline-size: 4.25em;
    block-size: 4.25em;
    overflow: hidden;
    /* Forced colors remove the background, and show this border. */
    border: 1px solid transparent;
    border-radius: 0.6em;
    background: color-mix(in oklab, var(--_accent) 10%, var(--_surface));
    color: var(--_accent-text);
    font-weight: 600;
  }

  .tile img {
    position: absolute;
    inline-size: 100%;
    block-size: 100%;
    object-fit: cover;
  }

  .line {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.25em 0.6em;
    margin-block-start: 0.25em;
  }

  .line .button {
    min-block-size: 28px;
    margin-inline-start: auto;
    padding-block: 0.15em;
  }

  /* The status is on the line of the title, where there is room. */
  .block-card {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.6em;
  }

  .block-card > * {
    flex: 1 1 100%;
  }

  .block-card > .block-title {
    flex: 1 1 auto;
  }

  .block-card > .chip {
    flex: none;
    max-inline-size: 100%;
  }

  .block-options .block-title {
    font-weight: 400;
    color: var(--_muted);
  }

  .block .in-stock {
    color: var(--_success);
  }

  /* A day is above its times: beside them, each day would have a line of its own kind. */
  .day,
  .times {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4em;
  }

  .day + .day {
    margin-block-start: 0.75em;
  }

  .day > small {
    flex: 1 1 100%;
    font-weight: 600;
  }

  .day .button {
    min-inline-size: 6em;
    block-size: 100%;
    padding-inline: 0.5em;
    text-wrap: balance;
  }

  .form-field {
    gap: 0.2em;
  }

  .form-field label small {
    font-weight: 400;
  }

  .block :is(input, select) {
    inline-size: 100%;
    min-block-size: 2.5em;
    text-align: start;
    /* The label stays in view with its field. */
    scroll-margin-block: 3em 2em;
  }

  /* The spin buttons would separate a number from the start of its line. */
  .block ::-webkit-inner-spin-button {
    display: none;
  }

  /* Phone numbers and e-mail addresses are left to right, aligned with the start of the line. */
  [dir='rtl'] .block input[dir='ltr'] {
    text-align: end;
  }

  .block [aria-invalid='true'] {
    border-color: var(--_danger);
  }

  .block .field-problem {
    color: var(--_danger);
  }
`;
