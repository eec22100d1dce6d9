/** The styles of the items of a task list. */
import { css } from 'lit';

export const taskStyles = css`
  .md-content {
    li:has(> .md-task, > p > .md-task) {
      list-style: none;
    }

    .md-task {
      margin-block: 0;
      margin-inline: -1.4em 0.4em;
      inline-size: 1em;
      block-size: 1em;
      vertical-align: -0.1em;
      accent-color: var(--_accent);
    }
  }
`;
