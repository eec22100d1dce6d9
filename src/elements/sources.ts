/** The sources of a reply. Their code is loaded with the first reply that has any. */
import { css, html, LitElement, type TemplateResult } from 'lit';
import type { Source } from '../../contract/wire.ts';
// From the file that is loaded anyway: importing the module would make the bundler add a file for it.
import { link } from '../blocks/index.ts';
import type { Elements } from './define-elements.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { adoptStyles } from '../styles/adopt-styles.ts';

/** More sources than this are collapsed. */
const few = 3;

/** Returns a file's name as words: “returns-policy.md” is “returns policy”. */
const nameOf = (filename: string): string =>
  filename
    .replace(/\.\w{1,5}$/, '')
    .replace(/[_-]+/g, ' ')
    .trim() || filename;

const sourceStyles = css`
  workspace-chat-sources {
    display: contents;
  }

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

  a.chip:hover {
    border-color: currentcolor;
  }
`;

class SourcesElement extends LitElement {
  static override properties = { sources: { attribute: false } };

  declare sources: readonly Source[];
  readonly #chat = new StoreController(this, () => ({}));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(this, sourceStyles);
  }

  protected override render(): TemplateResult {
    const { sources } = this;
    const { view, openLink } = this.#chat.chat;
    const context = { view: view.state, openLink };
    return html`
      <details class="sources" part="sources" ?open=${sources.length <= few}>
        <summary>${view.state.strings.sources}</summary>
        <ul>
          ${sources.map(({ title, filename, url }) => html`<li>${link(context, title ?? nameOf(filename), url, 'chip')}</li>`)}
        </ul>
      </details>
    `;
  }
}

export const elements: Elements = { 'workspace-chat-sources': SourcesElement };
