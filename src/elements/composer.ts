/** The composer: the text field, and the button that sends the message or stops the reply. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { isBusy } from '../chat/state/state.ts';
import { isLongerThan, hasVisibleText } from '../../contract/characters.ts';
import { maxMessageLength } from '../../contract/limits.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { isolatedNumbers } from '../locale/isolated-numbers.ts';
import { directionOf } from '../markdown/index.ts';
import { sendIcon, stopIcon } from './icons.ts';
import { PrivateElement } from './private-element.ts';

/** The key code of a key press that an input method handles. Safari sends it with `isComposing` already false. */
const composingKey = 229;

/** Browsers without it need an explicit height of the field. */
const hasFieldSizing = (): boolean => CSS.supports('field-sizing', 'content');

export class ComposerElement extends PrivateElement {
  readonly #store = new StoreController(this, (state, view) => ({
    draft: state.draft,
    isBusy: isBusy(state),
    isEnterNewline: view.isEnterNewline,
  }));

  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.querySelector('textarea')?.focus(options));
  }

  protected override render(): TemplateResult {
    const { strings, view } = this.#store;
    const { draft, isBusy, isEnterNewline } = this.#store.slice;
    // The banner says how many characters too long.
    const isTooLong = isLongerThan(draft.trim(), maxMessageLength);
    // One button with two actions, so that it keeps the focus when the reply ends.
    return html`
      <div class="composer" part="composer">
        <label class="field" part="field-box">
          <textarea
            part="input"
            rows="1"
            dir=${directionOf(draft) ?? view.dir}
            enterkeyhint=${isEnterNewline ? 'enter' : 'send'}
            aria-label=${strings.message}
            placeholder=${isolatedNumbers(strings.placeholder)}
            aria-invalid=${isTooLong}
            aria-describedby=${isTooLong ? 'banner' : nothing}
            @input=${this.#onInput}
            @keydown=${this.#onKeydown}
          ></textarea>
          ${view.hasSpeech ? html`<workspace-chat-dictation></workspace-chat-dictation>` : nothing}
          <button
            class="button primary send"
            part="send"
            aria-label=${isBusy ? strings.stop : strings.send}
            ?disabled=${!isBusy && (!hasVisibleText(draft) || isTooLong)}
            @click=${isBusy ? this.#onStop : this.#onSend}
          >
            ${isBusy ? stopIcon : sendIcon}
          </button>
        </label>
      </div>
    `;
  }

  protected override updated(): void {
    const input = this.querySelector('textarea')!;
    const { draft } = this.#store.slice;
    // Set here and not in the template: Lit would not notice that the visitor has changed the field's value.
    if (input.value !== draft) input.value = draft;
    if (!hasFieldSizing()) this.#fit(input);
  }

  protected override firstUpdated(): void {
    if (hasFieldSizing()) return;
    const input = this.querySelector('textarea')!;
    // A size that changes while the observers are called is an error on the page.
    new ResizeObserver(() => requestAnimationFrame(() => this.#fit(input))).observe(input);
  }

  /** Gives the field the height of its text. A hidden one has none: it is fitted when the panel is shown. */
  #fit(input: HTMLTextAreaElement): void {
    // The transcript above would grow for the measurement, and lose its position at the end.
    this.style.blockSize = `${this.offsetHeight}px`;
    input.style.blockSize = 'auto';
    if (input.scrollHeight > 0) input.style.blockSize = `${input.scrollHeight}px`;
    this.style.blockSize = '';
  }

  #submit(): void {
    const { conversation } = this.#store.chat;
    const { state } = conversation.store;
    if (!isBusy(state) && !isLongerThan(state.draft.trim(), maxMessageLength)) conversation.sendDraft();
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const isNewline = event.shiftKey || (this.#store.slice.isEnterNewline && !event.ctrlKey && !event.metaKey);
    if (event.key !== 'Enter' || isNewline || event.isComposing || event.keyCode === composingKey) return;
    event.preventDefault();
    this.#submit();
  };

  readonly #onInput = ({ target }: Event): void => {
    this.#store.chat.conversation.setDraft((target as HTMLTextAreaElement).value);
  };

  readonly #onSend = (): void => this.#submit();

  readonly #onStop = ({ detail }: MouseEvent): void => {
    // Ignore the second click of a double click on Send.
    if (detail < 2) this.#store.chat.conversation.stop();
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
    /* A finger near the field scrolls as if it were on it, and would scroll the page behind a field that has nothing to scroll. */
    overflow: hidden;
    overscroll-behavior: contain;
  }

  .field {
    display: flex;
    align-items: flex-end;
    gap: 0.25em;
    padding: 0.3em;
    border: 1px solid var(--_outline);
    border-radius: var(--_field-radius);
    background: var(--_surface);
    cursor: text;
  }

  .field:focus-within {
    outline-offset: -1px;
  }

  .field textarea {
    flex: 1;
    min-inline-size: 0;
    field-sizing: content;
    /* In a low panel, the messages have half of the height: the rest of this half is for the header, the margins and the footer. */
    max-block-size: clamp(2.1em, 50cqb - 5em, 8.5em);
    padding: 0.35em 0.6em;
    border: 0;
    outline: 0;
    background: none;
    line-height: 1.4;
    resize: none;
    overflow-y: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
  }

  .send {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 2.25em;
    block-size: 2.25em;
    padding: 0;
  }
`;
