/** The sources of a reply. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Source } from '../../contract/wire.ts';
import { link } from '../blocks/link.ts';
import type { Strings } from '../locale/strings.ts';

/** More sources than this are collapsed. */
const few = 3;

/** @param openLink Called before a source is opened. It returns false when the page handles the link itself. */
export const sourceList = (
  sources: readonly Source[],
  strings: Strings,
  openLink: (url: string) => boolean,
): TemplateResult | typeof nothing => {
  if (sources.length === 0) return nothing;
  return html`
    <details class="sources" part="sources" ?open=${sources.length <= few}>
      <summary>${strings.sources}</summary>
      <ul>
        ${sources.map(
          ({ title, filename, url }) => html`<li>${link({ openLink }, title ?? filename, url, 'source')}</li>`,
        )}
      </ul>
    </details>
  `;
};

export const sourceStyles = css`
  .sources {
    padding-inline: 0.25em;
    font-size: 0.8125em;
  }

  .sources summary {
    inline-size: fit-content;
    min-block-size: 24px;
    color: var(--_muted);
    cursor: pointer;
  }

  .sources ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4em;
    margin: 0.1em 0 0.25em;
    padding: 0;
    list-style: none;
  }

  .sources li {
    min-inline-size: 0;
  }

  .source {
    display: inline-block;
    padding: 0.125em 0.6em;
    border: 1px solid var(--_border);
    border-radius: 1em;
    line-height: 1.45;
    color: var(--_text);
    text-decoration: none;
  }

  a.source {
    color: var(--_accent-text);
  }

  a.source:hover {
    border-color: currentcolor;
  }
`;
