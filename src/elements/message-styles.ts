/** The styles of the transcript's messages. */
import { css } from 'lit';

export const messageStyles = css`
  workspace-chat-message {
    display: block;
  }

  .message {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: 0.25em;
    max-inline-size: 88%;
  }

  .message.wide {
    max-inline-size: 100%;
  }

  .message.visitor {
    align-items: flex-end;
    margin-inline-start: auto;
  }

  .bubble {
    max-inline-size: 100%;
    padding: 0.6em 0.9em;
    border: 1px solid transparent;
    border-radius: var(--_bubble-radius);
    border-end-start-radius: 0.3em;
    background: var(--_agent-bubble);
    color: var(--_on-agent-bubble);
  }

  .visitor .bubble {
    border-radius: var(--_bubble-radius);
    border-end-end-radius: 0.3em;
    border-color: var(--_bubble-ring);
    background: var(--_visitor-bubble);
    color: var(--_on-visitor-bubble);
    white-space: pre-wrap;
  }

  .avatar {
    flex: none;
    inline-size: 2em;
    block-size: 2em;
    border-radius: 50%;
    object-fit: cover;
  }

  .meta {
    /* Its content is loaded later. */
    min-block-size: 1.5em;
    padding-inline: 0.25em;
    font-size: 0.75em;
    line-height: 1.5;
    color: var(--_muted);
  }

  /* The last line waits for what is loaded above it, so that it does not move. */
  workspace-chat-message:not([incomplete]) :not(:defined) ~ .meta,
  workspace-chat-blocks:empty ~ .meta {
    display: none;
  }

  /* The height of its buttons. */
  .agent .meta {
    min-block-size: 24px;
  }

  .visitor .meta {
    text-align: end;
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
`;
