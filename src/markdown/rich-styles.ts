/** The styles of code blocks and tables. The `--_*` custom properties are defined in styles/tokens.ts. */
import { css } from 'lit';

export const richStyles = css`
  .md-code pre:focus-visible,
  .md-table:focus-visible,
  .md-copy:focus-visible {
    outline-offset: -2px;
  }

  .md-code {
    overflow: hidden;
    border: 1px solid var(--_border);
    border-radius: 0.5em;
    background: var(--_surface);
    text-align: start;

    pre {
      --_paper: var(--_surface);

      margin: 0;
      padding: 0.75em;
      overflow-x: auto;
      overflow-wrap: normal;
      white-space: pre;
    }

    /* As wide as the longest line, so that a ResizeObserver is notified when it grows: an inline box has no observed size. */
    pre > code {
      display: block;
      inline-size: max-content;
      min-inline-size: 100%;
      tab-size: 2;
    }

    pre span {
      display: block;
    }
  }

  .md-code-bar {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 0.5em;
    padding-inline: 0.75em 0.25em;
    border-block-end: 1px solid var(--_border);
    color: var(--_muted);
    font-size: 0.85em;
  }

  .md-code-language {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .md-copy {
    flex: none;
    min-block-size: 28px;
    min-inline-size: 28px;
    padding-inline: 0.5em;
    border: 0;
    border-radius: 0.3em;
    background: none;
    color: inherit;
    font: inherit;
    cursor: pointer;

    &:hover {
      color: var(--_accent-text);
    }
  }

  /* A shadow at an edge behind which there is more. It scrolls away with the content at the end. */
  .md-table,
  .md-code pre {
    --_fade: color-mix(in oklab, var(--_text) 20%, transparent);
    background:
      linear-gradient(to right, var(--_paper) 50%, transparent) 0 / 3em 100% local no-repeat,
      linear-gradient(to left, var(--_paper) 50%, transparent) 100% / 3em 100% local no-repeat,
      linear-gradient(to right, var(--_fade), transparent) 0 / 0.75em 100% no-repeat,
      linear-gradient(to left, var(--_fade), transparent) 100% / 0.75em 100% no-repeat;
  }

  .md-table + button {
    margin-block-start: 0.5em;
  }

  .md-table-box .problem {
    font-size: 0.875em;
    color: var(--_danger);
  }

  .md-table:not([role]) + button {
    display: none;
  }

  /* A table is cut at the edge of the bubble. */
  .md-content > .md-table-box > .md-table {
    margin-inline: calc(-1 * var(--_bubble-padding));
    padding-inline: var(--_bubble-padding);
  }

  .md-table {
    --_paper: var(--_agent-bubble);
    overflow-x: auto;

    table {
      /* Three columns with times fit into a bubble. */
      font-size: 0.9333em;
      border-collapse: collapse;
      inline-size: 100%;
      /* Columns are as wide as their longest words. A table with more of them than fit can be scrolled. */
      overflow-wrap: break-word;
    }

    tr:not(tbody > :last-child) {
      border-block-end: 1px solid var(--_border);
    }

    /* Columns align with the table, whatever the direction of each cell. Chromium has the value only with a prefix. */
    th,
    td {
      text-align: -webkit-match-parent;
    }

    :is(th, td) {
      max-inline-size: 20em;
      padding: 0.35em 0.45em;
      text-align: match-parent;
      vertical-align: top;
    }

    :is(th, td):first-child {
      padding-inline-start: 0;
    }

    :is(th, td):last-child {
      padding-inline-end: 0;
    }

    th {
      font-weight: 600;
    }

    /* "left" in Markdown means the start of the line, which is the right side in an Arabic table. */
    [data-align='left'] {
      text-align: start;
    }

    [data-align='center'] {
      text-align: center;
    }

    [data-align='right'] {
      text-align: end;
    }
  }
`;
