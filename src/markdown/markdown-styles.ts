/** The styles of rendered Markdown. The `--_*` custom properties are defined in styles/tokens.ts. */
import { css } from 'lit';
import { richStyles } from './rich-styles.ts';

export const markdownStyles = css`
  .md-content {
    overflow-wrap: anywhere;

    :where(p, ul, ol, blockquote, hr, h3, h4, h5, h6, .md-code, .md-table-box) {
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

    /* Slanted Arabic letters are hard to read. */
    em:dir(rtl) {
      font-style: normal;
      font-weight: 600;
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

    code {
      font-family: ui-monospace, Menlo, Consolas, monospace;
      font-size: 0.9em;
    }

    :not(pre) > code {
      padding-inline: 0.3em;
      border-radius: 0.3em;
      background: color-mix(in oklab, currentcolor 9%, transparent);
    }

    li:has(> .md-task, > p > .md-task) {
      list-style: none;
    }

    .md-task {
      margin-block: 0;
      margin-inline: -1.4em 0.4em;
      inline-size: 1em;
      block-size: 1em;
      padding: 0;
      border: 0;
      vertical-align: -0.1em;
      accent-color: var(--_accent);
    }
  }

  ${richStyles}
`;
