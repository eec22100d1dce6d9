/** The styles of rendered Markdown. The `--_*` custom properties are defined in styles/tokens.ts. */
import { css } from 'lit';

export const markdownStyles = css`
  .md-content {
    overflow-wrap: anywhere;

    :where(p, ul, ol, blockquote, hr, h3, h4, h5, h6, .md-code, .md-table) {
      margin-block: 0 0.75em;
      margin-inline: 0;
      padding: 0;
    }

    /* Hides a block without text. */
    p:empty {
      display: none;
    }

    :where(h3, h4, h5, h6) {
      margin-block-start: 1em;
      font-size: 1em;
      font-weight: 600;
      line-height: 1.3;
    }

    h3 {
      font-size: 1.2em;
    }

    h4 {
      font-size: 1.1em;
    }

    /* Set on the item, because its direction may differ from its list's. */
    li {
      margin-block-end: 0.25em;
      margin-inline-start: 1.6em;
    }

    & > :first-child {
      margin-block-start: 0;
    }

    & > :last-child,
    li > :last-child,
    blockquote > :last-child,
    .md-tight > li > p {
      margin-block-end: 0;
    }

    .md-tight > li > :is(ul, ol) {
      margin-block-start: 0.25em;
    }

    li:has(> p > .md-task) {
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

    blockquote {
      padding-inline-start: 0.75em;
      border-inline-start: 0.2em solid var(--_border);
      color: var(--_muted);
    }

    hr {
      border: 0;
      border-block-start: 1px solid var(--_border);
    }

    a {
      color: var(--_accent-text);
      text-decoration: underline;
      text-underline-offset: 0.15em;
    }

    code {
      font-family: ui-monospace, Menlo, Consolas, monospace;
      font-size: 0.9em;
    }

    :not(pre) > code {
      padding-inline: 0.3em;
      border-radius: 0.3em;
      background: color-mix(in oklab, currentcolor 9%, transparent);
    }

    :is(pre, .md-table):focus-visible,
    .md-copy:focus-visible {
      outline: 2px solid var(--_accent-text);
      outline-offset: -2px;
    }
  }

  .md-code {
    overflow: hidden;
    border: 1px solid var(--_border);
    border-radius: 0.5em;
    background: var(--_surface);
    text-align: start;

    pre {
      margin: 0;
      padding: 0.75em;
      overflow-x: auto;
      overflow-wrap: normal;
      white-space: pre;
    }

    /* An inline block is as wide as its longest line, so that a ResizeObserver sees it grow. */
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

  .md-table {
    overflow-x: auto;

    table {
      border-collapse: collapse;
      inline-size: max-content;
      min-inline-size: 100%;
    }

    tr {
      border-block-end: 1px solid var(--_border);
    }

    :is(th, td) {
      max-inline-size: 20em;
      padding: 0.35em 0.6em;
      /* Columns align with the table, whatever the direction of each cell. */
      text-align: match-parent;
      vertical-align: top;
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
