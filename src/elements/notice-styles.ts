/** The styles of notices, of the banner, of messages of the team, and of problems and their actions. Loaded soon after the panel. */
import { css } from 'lit';

export const noticeStyles = css`
  workspace-chat-problem {
    display: contents;
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

  .author {
    font-size: 0.8125em;
    font-weight: 600;
    color: var(--_success);
  }

  .meta strong {
    font-weight: 600;
    color: var(--_danger);
  }

  .notice {
    display: flex;
    align-items: center;
    gap: 0.75em;
    margin: 0.25em 0;
    font-size: 0.8125em;
    color: var(--_muted);
    text-align: center;
  }

  .notice::before,
  .notice::after {
    content: '';
    flex: 1 1 1em;
    block-size: 1px;
    background: var(--_border);
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
