/** The sources of a reply. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Source } from '../../contract/wire.ts';
import type { BlockContext } from '../blocks/block-context.ts';
import { link } from '../blocks/link.ts';

/** More sources than this are collapsed. */
const few = 3;

export const sourceList = (
  sources: readonly Source[],
  context: Pick<BlockContext, 'openLink' | 'view'>,
): TemplateResult | typeof nothing => {
  if (sources.length === 0) return nothing;
  return html`
    <details class="sources" part="sources" ?open=${sources.length <= few}>
      <summary>${context.view.strings.sources}</summary>
      <ul>
        ${sources.map(({ title, filename, url }) => html`<li>${link(context, title ?? filename, url, 'chip')}</li>`)}
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

  .chip {
    display: inline-block;
    padding: 0.125em 0.6em;
    border: 1px solid var(--_border);
    border-radius: 1em;
    line-height: 1.45;
    text-decoration: none;
  }

  a.chip:hover {
    border-color: currentcolor;
  }
`;
