/** The content of the panel: header, transcript, banner, composer, footer and live regions. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { afterPaint } from '../controllers/after-paint.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { formatTime } from '../locale/format.ts';
import { isolatedNumbers } from '../locale/isolated-numbers.ts';
import { teamReturnText } from '../locale/problem-text.ts';
import { AttentionController } from './attention.ts';
import { avatar } from './avatar.ts';
import { consentQuestion } from './consent.ts';
import { disclaimer } from './disclaimer.ts';
import { submitForm } from './forms.ts';
import { chevronIcon } from './icons.ts';
import { PrivateElement } from './private-element.ts';

export class PanelElement extends PrivateElement {
  static override properties = { sheet: { state: true }, dialog: { state: true } };

  /** The page that covers the conversation, or null. */
  declare sheet: HTMLElement | null;
  /** The dialog above the conversation, or above that page, or null. */
  declare dialog: HTMLElement | null;
  readonly #store = new StoreController(this, (state) => ({
    state: state.state,
    isFailing: state.turn.status === 'failed',
  }));
  readonly #attention = new AttentionController(this);

  constructor() {
    super();
    this.sheet = this.dialog = null;
    this.addEventListener('click', submitForm);
    for (const type of ['click', 'auxclick']) this.addEventListener(type, this.#onActivated);
  }

  protected override onConnected(): void {
    const update = () => this.requestUpdate();
    for (const type of ['online', 'offline']) addEventListener(type, update, { signal: this.connection });
  }

  protected override firstUpdated(): void {
    // The first message would wait until its formatter is created, and the panel if that happened before its paint. Safari has no
    // idle callbacks.
    const whenIdle = globalThis.requestIdleCallback ?? setTimeout;
    void afterPaint().then(() => whenIdle(() => formatTime(0, this.#store.view.languageTag)));
  }

  /** Focuses the page that covers the conversation, or else the composer once it is rendered, or the button in its place. */
  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() =>
      this.querySelector<HTMLElement>('.back, workspace-chat-composer, .consent button')?.focus(options),
    );
  }

  /** Opens a page that covers the conversation. */
  openSheet(name: 'mail' | 'history'): void {
    this.sheet = document.createElement(`workspace-chat-${name}`);
  }

  /** Closes the menu, the dialog, or the page that covers the conversation. Returns whether one was open. */
  closeTopmost(): boolean {
    if (this.querySelector('workspace-chat-menu')?.close()) return true;
    const isOpen = this.dialog !== null || this.sheet !== null;
    if (this.dialog) this.dialog = null;
    else this.sheet = null;
    return isOpen;
  }

  protected override render(): TemplateResult {
    const { strings, chat, slice, view } = this.#store;
    const { mode, heading } = view;
    const isOnline = navigator.onLine;
    const tone = slice.isFailing || !isOnline ? 'closed' : slice.state;
    const status = isOnline ? this.#statusText() : strings.offline;
    // Texts that change are properties. A browser's translator replaces text nodes, and Lit would change those that it has removed.
    return html`
      <div class="header" part="header">
        <slot name="header-start"></slot>
        ${avatar(null, view)}
        <div class="title">
          <h2 id="heading" part="heading"><bdi .textContent=${isolatedNumbers(heading)}></bdi></h2>
          <p part="status" class="status status-${tone}" .textContent=${status}></p>
        </div>
        <workspace-chat-menu></workspace-chat-menu>
        <slot name="header-end"></slot>
        ${
          mode !== 'inline' && mode !== 'fullscreen'
            ? html`<button
                class="icon-button"
                part="icon-button"
                title=${strings.closeChat}
                @click=${() => chat.close()}
              >
                ${chevronIcon}
              </button>`
            : nothing
        }
      </div>
      ${this.dialog} ${this.sheet}
      <workspace-chat-transcript></workspace-chat-transcript>
      <workspace-chat-banner></workspace-chat-banner>
      ${view.hasNotify ? html`<workspace-chat-notify></workspace-chat-notify>` : nothing}
      <slot name="before-input"></slot>
      ${
        view.consent
          ? consentQuestion(view.consent, view, this.#onAgree)
          : html`<workspace-chat-composer></workspace-chat-composer>`
      }
      <div class="footer" part="footer">
        ${disclaimer(strings, slice.state === 'human_active')}
        <slot name="footer"></slot>
      </div>
      ${this.#attention.regions}
    `;
  }

  /** Lets the page handle a link of a message that was activated. One listener for all messages. */
  readonly #onActivated = (event: Event): void => {
    // The right button opens the browser's menu.
    if ((event as MouseEvent).button === 2) return;
    const link = (event.target as Element).closest(':is(workspace-chat-message .bubble, .table-dialog) a[href]');
    if (link && !this.#store.chat.openLink(link.getAttribute('href')!)) event.preventDefault();
  };

  readonly #onAgree = (): void => {
    this.#store.chat.agree();
    this.focus();
  };

  #statusText(): string {
    const { status } = this.#store.strings;
    const { state: value } = this.#store.slice;
    const text = Object.hasOwn(status, value) ? status[value as keyof typeof status] : status.ai_active;
    if (value !== 'handoff_requested') return text;
    const back = teamReturnText(Date.now(), this.#store.view);
    return back ? `${text}. ${back}` : text;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-panel': PanelElement;
  }
}

export const panelBodyStyles = css`
  workspace-chat-panel {
    /* For large text in a narrow panel. The height of an inline panel may depend on its content. */
    container-type: inline-size;
    contain-intrinsic-inline-size: 25em;
    display: flex;
    flex-direction: column;
    block-size: 100%;
    min-block-size: 0;
  }

  .header {
    position: relative;
    display: flex;
    align-items: center;
    padding: 0.75em var(--_space);
    padding-inline-end: 0.6em;
    border-block-end: 1px solid var(--_border);
    background: var(--_header);
    color: var(--_on-header);
  }

  .header .avatar {
    inline-size: 2.25em;
    block-size: 2.25em;
    margin-inline-end: 0.5em;
  }

  .title,
  .about {
    flex: 1;
    min-inline-size: 0;
  }

  .header h2 {
    font-size: 1.0625em;
    font-weight: 650;
    line-height: 1.3;
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }

  .status {
    display: flex;
    align-items: center;
    gap: 0.4em;
    font-size: 0.8125em;
    line-height: 1.4;
  }

  /* A border, which forced colors show. Its color is mixed with that of the text, which contrasts with any header. */
  .status::before {
    content: '';
    border: 0.25em solid color-mix(in oklab, var(--_dot, var(--_success)), currentcolor 25%);
    border-radius: 50%;
  }

  .status-handoff_requested {
    --_dot: var(--_warning);
  }

  .status-closed {
    --_dot: var(--_muted);
  }

  .footer {
    padding: 0 var(--_space) 0.6em;
    padding-block-end: max(0.6em, env(safe-area-inset-bottom));
    font-size: 0.75em;
    text-align: center;
    color: var(--_muted);
  }

  .disclaimer a {
    color: inherit;
  }
`;
