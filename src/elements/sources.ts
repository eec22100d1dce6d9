/** The sources of a reply. */
import { css, html, type TemplateResult } from 'lit';
import type { Source } from '../../contract/wire.ts';
import { link } from '../blocks/link.ts';
import { chevronIcon } from './icons.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { PrivateElement } from './private-element.ts';

/** More sources than this are collapsed. */
const few = 2;

/** Returns a file's name as words: “returns-policy.md” is “returns policy”. */
const nameOf = (filename: string): string =>
  filename
    .replace(/\.\w{1,5}$/, '')
    .replace(/[_-]+/g, ' ')
    .trim() || filename;

export const sourceStyles = css`
  workspace-chat-sources {
    display: contents;
  }

  .sources {
    padding-inline: 0.25em;
    font-size: 0.8125em;
    color: var(--_muted);
  }

  .sources summary {
    display: flex;
    align-items: center;
    gap: 0.25em;
    inline-size: fit-content;
    min-block-size: 24px;
    cursor: pointer;
    list-style: none;
  }

  .sources summary::-webkit-details-marker {
    display: none;
  }

  .sources summary svg {
    inline-size: 1em;
    block-size: 1em;
    transition: transform calc(0.15s * var(--_motion)) ease-out;
  }

  .sources [open] svg {
    transform: scaleY(-1);
  }

  .sources ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4em;
    margin: 0.25em 0;
    padding: 0;
    list-style: none;
  }

  .sources .chip {
    display: flex;
    align-items: center;
    gap: 0.4em;
    min-block-size: 24px;
    padding-inline-start: 0.3em;
  }

  .sources a:hover {
    border-color: var(--_accent-text);
  }

  .citation {
    flex: none;
    min-inline-size: 1.5em;
    padding-inline: 0.3em;
    border-radius: 0.5em;
    background: var(--_surface-raised);
    font-size: 0.9em;
    font-variant-numeric: tabular-nums;
    text-align: center;
  }
`;

export class SourcesElement extends PrivateElement {
  static override properties = { sources: { attribute: false } };

  declare sources: readonly Source[];
  readonly #chat = new StoreController(this);

  protected override render(): TemplateResult {
    const { sources } = this;
    const { view, openLink } = this.#chat.chat;
    const context = { view: view.state, openLink };
    const { strings, languageTag } = view.state;
    const citations = sources.map(
      ({ title, filename, url }, index) =>
        html`<li>
          ${link(
            context,
            title ?? nameOf(filename),
            url,
            'chip',
            html`<span class="citation">${(index + 1).toLocaleString(languageTag)}</span>`,
          )}
        </li>`,
    );
    const list = html`<ul aria-label=${strings.sources}>
      ${citations}
    </ul>`;
    return html`<div class="sources" part="sources">
      ${
        sources.length <= few
          ? list
          : html`<details>
              <summary>${strings.sources} (${sources.length.toLocaleString(languageTag)}) ${chevronIcon}</summary>
              ${list}
            </details>`
      }
    </div>`;
  }
}
