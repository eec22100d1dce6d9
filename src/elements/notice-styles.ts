/** The styles of notices, of the banner, of messages of the team, and of what follows a message. */
import { css } from 'lit';

export const noticeStyles = css`
  workspace-chat-problem {
    display: contents;
  }

  .text-button {
    padding: 0.125em 0.25em;
    min-block-size: 24px;
    border: 1px solid transparent;
    border-radius: 0.25em;
    background: none;
    color: var(--_accent-text);
    font-weight: 600;
    text-underline-offset: 0.2em;
    text-decoration: underline;
  }

  .text-button:hover {
    text-decoration-thickness: 0.125em;
  }

  .text-button:disabled {
    color: var(--_muted);
    cursor: default;
    text-decoration: none;
  }

  .banner {
    /* In line with the messages, whose text is larger. */
    padding: 0.5em calc(var(--_space) / 0.8125);
    border-block-start: 1px solid var(--_border);
    background: var(--_surface-raised);
    font-size: 0.8125em;
    color: var(--_muted);
    font-variant-numeric: tabular-nums;
  }

  .banner.problem {
    color: var(--_danger);
  }

  .author {
    font-size: 0.8125em;
    font-weight: 600;
    color: var(--_success);
  }

  /* The time and the notes, the actions beside them, and what went wrong below both. */
  .agent .meta {
    display: grid;
    /* The last column takes the width of what went wrong. */
    grid-template-columns: minmax(min-content, max-content) auto 1fr;
    align-items: center;
    column-gap: 0.5em;
  }

  .meta .icon-button {
    inline-size: max(24px, 2em);
    block-size: max(24px, 2em);
  }

  .meta .icon-button svg {
    inline-size: 1.3333em;
    block-size: 1.3333em;
  }

  .meta .copy {
    grid-area: 1 / 2;
  }

  /* Two sheets, one before the other. */
  .copy::before,
  .copy::after {
    content: '';
    grid-area: 1 / 1;
    inline-size: 0.6667em;
    block-size: 0.6667em;
    border: 0.125em solid;
    border-radius: 0.1667em;
    translate: 0.1667em 0.1667em;
  }

  .copy::before {
    border-width: 0.125em 0 0 0.125em;
    translate: -0.0833em -0.0833em;
  }

  /* A check mark: a side and the bottom of the front sheet. */
  .copy[data-copied]::before,
  .copy[hidden] {
    display: none;
  }

  .copy[data-copied]::after {
    inline-size: 0.4167em;
    border-width: 0 0.125em 0.125em 0;
    border-radius: 0;
    translate: 0 -0.0833em;
    rotate: 45deg;
  }

  .copy[data-copied] {
    color: var(--_success);
  }

  .copy[data-failed] {
    color: var(--_danger);
  }

  /*
   * With a mouse or the keyboard, messages that others follow soon show their time and their actions at the edge of the bubble.
   * A finger has nothing to point with first. Between two bubbles is room: it takes their padding, and covers no link or button.
   * Below blocks and sources the line has a row, and also when it has a field for a comment, or an action that can be undone.
   */
  @media (hover: hover) {
    .quiet > .bubble + .plain:not(:has([aria-pressed='true'])) {
      position: absolute;
      z-index: 1;
      inset-block-start: 100%;
      translate: 0 calc(0.25em - 50%);
      min-block-size: 24px;
      padding-inline: 0.6em;
      border: 1px solid var(--_border);
      border-radius: 1em;
      background: var(--_surface);
      transition: opacity calc(0.12s * var(--_motion));
    }

    .visitor > .plain {
      inset-inline-end: 0.75em;
    }

    .agent > .plain {
      inset-inline-start: 3.75em;
    }

    .quiet:not(:hover, :focus-within) > .plain:not(:has([aria-pressed='true'])) {
      opacity: 0;
    }
  }

  @media (hover: none) {
    .visitor.quiet > .plain {
      display: none;
    }
  }

  .failure {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0.5em 0.6em;
    inline-size: fit-content;
    max-inline-size: 100%;
    margin-block-start: 0.25em;
    padding: 0.7em 0.85em;
    border: 1px solid color-mix(in oklab, var(--_danger) 35%, var(--_border));
    border-radius: 0.85em;
    background: color-mix(in oklab, var(--_danger) 5%, var(--_surface));
    /* The line around it has smaller text. */
    font-size: 1.1667em;
    color: var(--_text);
    text-align: start;
  }

  .visitor .failure {
    margin-inline-start: auto;
  }

  /* In line with the bubble. */
  .visitor .meta:has(.failure) {
    padding-inline: 0;
  }

  .agent .failure {
    grid-column: 1 / -1;
    margin-inline: -0.2143em;
    max-inline-size: none;
  }

  .failure svg {
    inline-size: 1.3em;
    block-size: 1.3em;
    margin-block-start: 0.1em;
    color: var(--_danger);
  }

  .failure strong {
    display: block;
    font-weight: 600;
  }

  /* In the last column, also where there is only one. */
  .failure .actions {
    grid-column: -2;
    align-items: center;
  }

  .notice {
    margin: 0.5em 1em;
    font-size: 0.8125em;
    color: var(--_muted);
    text-align: center;
    text-wrap: balance;
  }

  /* Where the panel has the height of a phone held sideways, or large text, the transcript keeps most of it. */
  @container (height < 30em) {
    .header {
      padding-block: 0.2em;
    }

    .title {
      display: flex;
      flex-wrap: wrap;
      align-items: baseline;
      gap: 0 0.75em;
    }

    .title > * {
      overflow: hidden;
      white-space: nowrap;
      text-overflow: ellipsis;
    }

    .header h2 {
      flex: 0 1 auto;
      font-size: 1em;
    }

    /* The status shrinks before the heading does. */
    .status {
      display: block;
      flex: 0 99 auto;
    }

    .status::before {
      display: inline-block;
      margin-inline-end: 0.4em;
      vertical-align: 0.1em;
    }

    .field textarea:placeholder-shown {
      white-space: nowrap;
    }

    .composer {
      padding-block: 0.3em;
    }

    .footer > .disclaimer {
      display: none;
    }

    /* The header has the avatar, and a starter is in view. */
    .welcome .avatar {
      display: none;
    }

    .welcome {
      padding-block: 0 0.75em;
      font-size: 1.125em;
    }

    .messages > .disclaimer {
      display: block;
      margin-block-end: 1em;
      font-size: 0.75em;
      text-align: center;
      color: var(--_muted);
    }
  }

  .ending:has(button) {
    display: grid;
    justify-items: center;
    gap: 0.5em;
  }

  .actions {
    display: inline-flex;
    flex-wrap: wrap;
    gap: 0.5em;
  }

  .actions button {
    overflow-wrap: normal;
  }
`;
