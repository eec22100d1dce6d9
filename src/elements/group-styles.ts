/**
 * The styles of a message between its neighbors (groups, days, pictures), of its arrival, and those that make the browser paint less.
 */
import { css } from 'lit';

export const groupStyles = css`
  /* Beside the first message of a group. */
  .message.agent {
    position: relative;
    padding-inline-start: 2.25em;
  }

  .message > .avatar {
    position: absolute;
    inset-block-start: 0.4em;
    inset-inline-start: 0;
    font-size: 0.875em;
    inline-size: 2em;
    block-size: 2em;
  }

  /* Messages that one author wrote one soon after the other share the last one's line. */
  .page > [grouped] {
    margin-block-end: 0.25em;
  }

  [grouped] + * :is(.author, .avatar) {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }

  .page > [data-day] {
    position: relative;
    margin-block-start: 2.5em;
  }

  /* As wide as the transcript. */
  .page > [data-day]::before {
    content: attr(data-day);
    position: absolute;
    inset-block-end: 100%;
    inset-inline: 0;
    margin-block-end: 1em;
    font-size: 0.75em;
    text-align: center;
    color: var(--_muted);
  }

  .visitor[data-day]::before {
    inset-inline: auto 0;
    inline-size: calc(100% / 0.88);
  }

  /* A source, or the status in a card. */
  .chip {
    display: inline-block;
    padding: 0.125em 0.6em;
    border: 1px solid var(--_border);
    border-radius: 1em;
    line-height: 1.45;
    text-decoration: none;
  }

  .thinking {
    display: flex;
    gap: 0.3em;
    padding-block: 0.95em;
  }

  .thinking i {
    /* Not a background, which forced colors remove, and without a size, which would leave a hole where its width is rounded. */
    border: 0.225em solid var(--_muted);
    border-radius: 50%;
    animation: thinking calc(1.2s * var(--_motion)) infinite;
  }

  .thinking i + i {
    animation-delay: 0.15s;
  }

  .thinking i + i + i {
    animation-delay: 0.3s;
  }

  @keyframes thinking {
    0%,
    60%,
    100% {
      opacity: 0.35;
    }

    30% {
      opacity: 1;
    }
  }

  /* Animates the parts of the newest message. The message itself must not move: the transcript scrolls to its start. */
  workspace-chat-message:last-child > :is([part], workspace-chat-blocks, workspace-chat-sources) {
    animation: rise calc(0.12s * var(--_motion)) ease-out;
  }

  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
  }

  /* While a reply grows, its blocks out of view are not painted again. Focus rings and the numbers of lists reach over the edges. */
  @supports (overflow-clip-margin: 2em) {
    .md-content > * {
      contain: paint;
      overflow-clip-margin: 2em;
    }

    /* The margin of the last item does not merge with that of the list any more. */
    .md-content li:last-child {
      margin-block-end: 0;
    }
  }

  .visitor .meta {
    text-align: end;
  }
`;
