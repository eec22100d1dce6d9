/** The styles of the transcript's messages. */
import { css } from 'lit';

export const messageStyles = css`
  /* Their visually hidden texts lie inside. A screen reader would scroll the panel to texts that lie outside. */
  workspace-chat-message,
  .bubble {
    position: relative;
  }

  workspace-chat-message {
    display: block;
  }

  .message {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: 0.25em;
  }

  .message.visitor {
    align-items: flex-end;
    max-inline-size: 88%;
    margin-inline-start: auto;
  }

  .bubble {
    max-inline-size: 100%;
    --_bubble-padding: 0.9em;
    padding: 0.6em var(--_bubble-padding);
    border: 1px solid transparent;
    border-radius: var(--_bubble-radius);
    border-end-start-radius: 0.3em;
    background: var(--_agent-bubble);
    color: var(--_on-agent-bubble);
  }

  /* The author, for screen readers. Not an element, because there is one in each message. */
  .bubble::before {
    content: attr(data-author);
  }

  .visitor .bubble {
    border-radius: var(--_bubble-radius);
    border-end-end-radius: 0.3em;
    border-color: var(--_bubble-ring);
    background: var(--_visitor-bubble);
    color: var(--_on-visitor-bubble);
  }

  .visitor .bubble a {
    color: inherit;
  }

  /* An underline does not continue into an inline block. */
  .bubble a bdi[dir] {
    text-decoration: underline;
  }

  /* The lines and spaces of a person stay. */
  .bubble.person {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  .avatar {
    position: relative;
    flex: none;
    display: grid;
    place-items: center;
    inline-size: 1.75em;
    block-size: 1.75em;
    /* Forced colors show it. */
    border: 1px solid transparent;
    border-radius: 50%;
    background: color-mix(in oklab, var(--_accent) 14%, var(--_surface));
    color: var(--_accent-text);
    font-weight: 650;
  }

  /* Its background hides the initial behind a picture that is transparent, or is being loaded. */
  .avatar img {
    position: absolute;
    inline-size: 100%;
    block-size: 100%;
    border-radius: inherit;
    background: inherit;
    object-fit: cover;
  }

  /* A bubble, where there is no initial. Not an element, because there is one in each message. */
  .avatar.unnamed::before {
    content: '';
    inline-size: 44%;
    block-size: 36%;
    border: 0.125em solid;
    border-radius: 0.35em;
    border-end-start-radius: 0;
  }

  .meta {
    min-block-size: 1.5em;
    padding-inline: 0.25em;
    font-size: 0.75em;
    line-height: 1.5;
    color: var(--_muted);
  }

  /* The height of its buttons. */
  .agent .meta {
    min-block-size: 24px;
  }
`;
