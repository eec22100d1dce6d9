/** The panel: header, transcript, banner, composer, footer, and the region that speaks to screen readers. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { ConversationState } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { problemText } from '../locale/problem-text.ts';
import type { Strings } from '../locale/strings.ts';
import { plainText, safeUrl } from '../markdown/index.ts';
import { chevronIcon, menuIcon } from './icons.ts';

/** What screen readers hear, once, when something has come to its end. */
const announcement = (state: ConversationState, before: ConversationState, strings: Strings): string => {
  const { turn, messages } = state;
  if (turn.status === 'failed' && turn !== before.turn) return problemText(turn.problem, strings);
  const last = messages.at(-1);
  if (!last || messages === before.messages || before.messages.some(({ key }) => key === last.key)) return '';
  if (last.role === 'notice') return strings.notices[last.code];
  if (last.role === 'user') return '';
  return `${last.actor === 'owner' ? strings.person : strings.assistant}: ${plainText(last.text) || strings.newMessages}`;
};

const importMenu = async (): Promise<void> => {
  const { MenuElement } = await import('./menu.ts');
  if (!customElements.get('workspace-chat-menu')) customElements.define('workspace-chat-menu', MenuElement);
};

/** On the way to the button; a failure shows when the menu is opened, which tries again. */
const prefetchMenu = () => void importMenu().catch(() => {});

export class PanelElement extends LitElement {
  static override properties = { menu: { state: true } };

  /** Whether the menu's code is there. */
  declare menu: 'unloaded' | 'loaded' | 'failed';
  readonly #state = new StoreController(this, ({ state }) => state);
  #announced = '';
  #unsubscribe = () => {};

  constructor() {
    super();
    this.menu = 'unloaded';
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Into the composer, as soon as there is one. */
  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.querySelector('workspace-chat-composer')?.focus(options));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { conversation } = this.#state.chat;
    this.#unsubscribe = conversation.store.subscribe((state, event, before) => {
      if (state.status !== 'ready' || event.type === 'restored') return;
      const text = announcement(state, before, this.#state.strings);
      if (!text || !conversation.isVisible) return;
      this.#announced = text;
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe();
  }

  protected override render(): TemplateResult {
    const { strings, chat } = this.#state;
    const { mode, heading } = chat.view.state;
    return html`
      <div class="header" part="header">
        <slot name="header-start"></slot>
        <div class="title">
          <h2 id="heading" part="heading" dir="auto">${heading}</h2>
          <p class="status status-${this.#state.value}">${this.#statusText()}</p>
        </div>
        <slot name="header-end"></slot>
        ${this.menu === 'loaded' ? html`<workspace-chat-menu></workspace-chat-menu>` : this.#renderMenuButton()}
        ${
          mode === 'floating'
            ? html`<button
                class="icon-button"
                aria-label=${strings.closeChat}
                title=${strings.closeChat}
                @click=${() => chat.close()}
              >
                ${chevronIcon}
              </button>`
            : nothing
        }
      </div>
      ${this.menu === 'failed' ? html`<p class="banner" role="alert">${strings.chunkFailed}</p>` : nothing}
      <workspace-chat-transcript></workspace-chat-transcript>
      <workspace-chat-banner></workspace-chat-banner>
      <slot name="before-input"></slot>
      <workspace-chat-composer></workspace-chat-composer>
      <div class="footer">
        ${this.#renderNotice()}
        <slot name="footer"></slot>
      </div>
      <div class="visually-hidden" role="status">${this.#announced}</div>
    `;
  }

  #renderMenuButton(): TemplateResult {
    const { menu } = this.#state.strings;
    return html`
      <button
        class="icon-button"
        aria-label=${menu}
        title=${menu}
        aria-haspopup="menu"
        aria-expanded="false"
        @pointerenter=${prefetchMenu}
        @focus=${prefetchMenu}
        @click=${this.#loadMenu}
      >
        ${menuIcon}
      </button>
    `;
  }

  readonly #loadMenu = async (): Promise<void> => {
    try {
      await importMenu();
      this.menu = 'loaded';
    } catch {
      this.menu = 'failed';
    }
  };

  #statusText(): string {
    const { status } = this.#state.strings;
    const { value } = this.#state;
    return Object.hasOwn(status, value) ? status[value as keyof typeof status] : status.ai_active;
  }

  #renderNotice(): TemplateResult | typeof nothing {
    const { notice, privacyLabel, privacyUrl } = this.#state.strings;
    const url = privacyUrl ? safeUrl(privacyUrl) : null;
    if (!notice && !url) return nothing;
    return html`<p>
      ${notice} ${url ? html`<a href=${url} target="_blank" rel="noopener">${privacyLabel}</a>` : nothing}
    </p>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-panel': PanelElement;
  }
}

export const panelStyles = css`
  .panel {
    display: block;
    inline-size: 100%;
    block-size: 100%;
    max-inline-size: none;
    max-block-size: none;
    margin: 0;
    padding: 0;
    border: 0;
    overflow: hidden;
    background: var(--_surface);
  }

  /* It takes the focus where a keyboard would cover it, and shows that by being there. */
  .panel:focus-visible {
    outline: none;
  }

  dialog.panel:not(:popover-open, :modal) {
    display: none;
  }

  :host([placement='start']) .panel[popover] {
    inset-inline: var(--_offset-x) auto;
  }

  .panel[popover] {
    position: fixed;
    inset: auto;
    inset-block-end: calc(var(--_offset-y) + var(--_launcher-size) + 0.75em);
    inset-inline-end: var(--_offset-x);
    inline-size: min(var(--_width), 100vw - 2 * var(--_offset-x));
    block-size: min(var(--_height), 100dvh - 2 * var(--_offset-y) - var(--_launcher-size) - 0.75em);
    border-radius: var(--_radius);
    box-shadow: var(--_shadow);
    transition:
      opacity 0.18s ease-out,
      transform 0.18s ease-out;
  }

  :host([hide-launcher]) .panel[popover] {
    inset-block-end: var(--_offset-y);
    block-size: min(var(--_height), 100dvh - 2 * var(--_offset-y));
  }

  .panel:modal {
    position: fixed;
    inset: 0;
    inset-block-start: var(--_viewport-top, 0);
    block-size: var(--_viewport-height, 100dvh);
  }

  :host([mode='fullscreen']) .panel {
    position: absolute;
    inset-block-start: var(--_viewport-top, 0);
    block-size: var(--_viewport-height, 100%);
  }

  .panel:modal::backdrop {
    background: var(--_surface);
  }

  @starting-style {
    .panel:popover-open {
      opacity: 0;
      transform: translateY(0.75em);
    }
  }

  @media (prefers-reduced-motion: reduce) {
    .panel[popover] {
      transition: none;
    }
  }

  @media (forced-colors: active) {
    .panel[popover] {
      border: 2px solid ButtonText;
    }
  }

  @media print {
    .panel[popover] {
      display: none;
    }
  }

  workspace-chat-panel {
    display: flex;
    flex-direction: column;
    block-size: 100%;
    min-block-size: 0;
  }

  .header {
    display: flex;
    align-items: center;
    gap: 0.25em;
    padding: 0.8em var(--_space);
    padding-inline-end: 0.6em;
    border-block-end: 1px solid var(--_border);
  }

  .title {
    flex: 1;
    min-inline-size: 0;
  }

  .header h2 {
    margin: 0;
    font-size: 1.0625em;
    font-weight: 650;
    line-height: 1.3;
    text-align: start;
  }

  .status {
    display: flex;
    align-items: center;
    gap: 0.4em;
    margin: 0;
    font-size: 0.8125em;
    line-height: 1.4;
    color: var(--_muted);
  }

  .status::before {
    content: '';
    flex: none;
    inline-size: 0.5em;
    block-size: 0.5em;
    border-radius: 50%;
    background: var(--_success);
  }

  .status-handoff_requested::before {
    background: var(--_warning);
  }

  .status-closed::before {
    background: var(--_muted);
  }

  .footer {
    padding: 0 var(--_space) 0.6em;
    padding-block-end: max(0.6em, env(safe-area-inset-bottom));
    font-size: 0.75em;
    text-align: center;
    color: var(--_muted);
  }

  .footer p {
    margin: 0;
  }

  .footer a {
    color: inherit;
  }
`;
