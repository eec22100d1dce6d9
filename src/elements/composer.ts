/** Where the visitor writes. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { isBusy, maxMessage } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { formatNumber } from '../locale/format.ts';
import { sendIcon, stopIcon } from './icons.ts';

/** The key code of keys that an input method is still working on, where `isComposing` is already false (Safari). */
const composingKey = 229;

export class ComposerElement extends LitElement {
  readonly #state = new StoreController(this, (state) => [state.draft, isBusy(state)] as const);

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.querySelector('textarea')?.focus(options));
  }

  protected override render(): TemplateResult {
    const { strings, value, chat } = this.#state;
    const [draft, isBusy] = value;
    const excess = draft.trim().length - maxMessage;
    return html`
      <form class="composer" part="composer" @submit=${this.#onSubmit}>
        ${
          excess > 0
            ? html`<p id="too-long" class="too-long">
                ${strings.tooLong(formatNumber(excess, chat.view.state.languageTag))}
              </p>`
            : nothing
        }
        <div class="field" @click=${this.#onFieldClick}>
          <textarea
            part="input"
            rows="1"
            dir=${draft ? 'auto' : chat.view.state.dir}
            enterkeyhint="send"
            aria-label=${strings.message}
            placeholder=${strings.placeholder}
            aria-invalid=${excess > 0 ? 'true' : 'false'}
            aria-describedby=${excess > 0 ? 'too-long' : nothing}
            @input=${this.#onInput}
            @keydown=${this.#onKeydown}
          ></textarea>
          ${
            isBusy
              ? html`<button class="send" part="send" type="button" aria-label=${strings.stop} @click=${this.#onStop}>
                  ${stopIcon}
                </button>`
              : html`<button
                  class="send"
                  part="send"
                  type="submit"
                  aria-label=${strings.send}
                  ?disabled=${!draft.trim() || excess > 0}
                >
                  ${sendIcon}
                </button>`
          }
        </div>
      </form>
    `;
  }

  protected override updated(): void {
    const input = this.querySelector('textarea')!;
    const [draft] = this.#state.value;
    // Not by the template: what was typed may be what the draft no longer says.
    if (input.value !== draft) input.value = draft;
    // Where the field cannot size itself to its content, its height is set.
    if (CSS.supports('field-sizing', 'content')) return;
    input.style.blockSize = 'auto';
    input.style.blockSize = `${input.scrollHeight}px`;
  }

  #submit(): void {
    const { chat } = this.#state;
    const { state } = chat.conversation.store;
    const { draft } = state;
    // The draft is taken in the same moment, so that a second Enter or click finds nothing to send.
    if (!draft.trim() || draft.trim().length > maxMessage || isBusy(state)) return;
    chat.send(draft);
  }

  readonly #onSubmit = (event: Event): void => {
    event.preventDefault();
    this.#submit();
  };

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === composingKey) return;
    event.preventDefault();
    this.#submit();
  };

  readonly #onInput = ({ target }: Event): void => {
    this.#state.chat.conversation.setDraft((target as HTMLTextAreaElement).value);
  };

  readonly #onStop = ({ detail }: MouseEvent): void => {
    // The second click of a double click on Send was not meant for what has taken its place.
    if (detail > 1) return;
    this.#state.chat.conversation.stop();
    this.focus();
  };

  readonly #onFieldClick = ({ target, currentTarget }: Event): void => {
    if (target === currentTarget) this.focus();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-composer': ComposerElement;
  }
}

export const composerStyles = css`
  .composer {
    padding: 0.6em var(--_space) 0.35em;
  }

  .field {
    display: flex;
    align-items: flex-end;
    gap: 0.25em;
    padding: 0.3em;
    border: 1px solid var(--_outline);
    border-radius: 1.5em;
    background: var(--_surface);
    cursor: text;
  }

  .field:focus-within {
    border-color: var(--_accent-text);
    box-shadow: 0 0 0 1px var(--_accent-text);
  }

  .field textarea {
    flex: 1;
    min-inline-size: 0;
    field-sizing: content;
    max-block-size: 8.5em;
    padding: 0.35em 0.6em;
    border: 0;
    outline: 0;
    background: none;
    /* Below 16 pixels, phones zoom into a field that gets the focus. */
    font-size: max(1em, 16px);
    line-height: 1.4;
    resize: none;
    overflow-y: auto;
    scrollbar-width: thin;
  }

  .field textarea::placeholder {
    color: var(--_muted);
    opacity: 1;
  }

  .send {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 2.25em;
    block-size: 2.25em;
    padding: 0;
    border: 0;
    border-radius: 50%;
    background: var(--_accent);
    color: var(--_on-accent);
  }

  .send:disabled {
    background: var(--_surface-raised);
    color: var(--_muted);
    cursor: default;
  }

  .too-long {
    margin: 0 0 0.5em;
    font-size: 0.8125em;
    color: var(--_danger);
  }

  @media (forced-colors: active) {
    .send {
      border: 1px solid ButtonText;
    }
  }
`;
