/** The header's menu: new conversation, language, download of the transcript, sound. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { languageName } from '../locale/format.ts';
import { chime, soundFlag } from './sound.ts';
import { downloadTranscript } from './download.ts';
import { isExpanded, setExpanded } from './expansion.ts';
import { menuIcon } from './icons.ts';
import { PrivateElement } from './private-element.ts';

export const menuStyles = css`
  workspace-chat-menu {
    display: block;
  }

  .menu {
    position: absolute;
    z-index: 1;
    inset-block-start: calc(100% - 0.25em);
    inset-inline-end: 0.5em;
    inline-size: max-content;
    max-inline-size: calc(100% - 1em);
    max-block-size: calc(100cqb - 4em);
    overflow-y: auto;
    padding: 0.3em;
    border: 1px solid var(--_border);
    border-radius: 0.75em;
    background: var(--_surface);
    box-shadow: var(--_shadow);
    color: var(--_text);
    animation: menu calc(0.12s * var(--_motion)) ease-out;
  }

  @keyframes menu {
    from {
      opacity: 0;
      transform: translateY(-4px);
    }
  }

  .menu-item {
    display: block;
    inline-size: 100%;
    padding: 0.5em 0.75em;
    border: 0;
    border-radius: 0.5em;
    background: none;
    text-align: start;
  }

  .menu-item[aria-checked]::after {
    content: ' ✓' / '';
    visibility: hidden;
  }

  .menu-item[aria-checked='true']::after {
    visibility: visible;
  }

  .menu-item:is(:hover, :focus-visible) {
    background: var(--_surface-raised);
  }
`;

/** Returns the tags of the languages that the visitor can switch to. */
const otherLanguages = ({ locale, registered }: ViewState): string[] =>
  ['en', 'ar', ...registered.keys()].filter((tag, index, tags) => tag !== locale && tags.indexOf(tag) === index);

export class MenuElement extends PrivateElement {
  static override properties = { isOpen: { state: true } };

  declare isOpen: boolean;
  readonly #store = new StoreController(this, ({ messages }) => ({ hasMessages: messages.length > 0 }));

  constructor() {
    super();
    this.isOpen = false;
    this.addEventListener('keydown', this.#onKeydown);
    this.addEventListener('focusout', this.#onFocusout);
  }

  protected override render(): TemplateResult {
    const { strings, chat, view } = this.#store;
    const { hasMessages } = this.#store.slice;
    const isWide = isExpanded(this);
    const panel = this.closest('workspace-chat-panel')!;
    const item = (label: string, run: () => void, lang?: string) => html`
      <button
        class="menu-item"
        part="menu-item"
        role="menuitem"
        tabindex="-1"
        lang=${lang ?? nothing}
        @click=${() => this.#choose(run)}
      >
        ${label}
      </button>
    `;
    return html`
      <button
        class="icon-button"
        part="icon-button"
        title=${strings.menu}
        aria-haspopup="menu"
        aria-expanded=${this.isOpen}
        @click=${this.#toggle}
      >
        ${menuIcon}
      </button>
      ${
        this.isOpen
          ? html`
              <div class="menu" part="menu" role="menu" aria-label=${strings.menu}>
                ${hasMessages ? item(strings.newConversation, this.#startAgain) : nothing}
                ${otherLanguages(view).map((tag) => item(languageName(tag), () => chat.setLocale(tag), tag))}
                ${this.#canExpand ? item(isWide ? strings.reduce : strings.expand, () => setExpanded(this, !isWide)) : nothing}
                ${hasMessages && view.transcriptUrl ? item(strings.mail.offer, () => panel.openSheet('mail')) : nothing}
                ${view.historyUrl ? item(strings.history.title, () => panel.openSheet('history')) : nothing}
                ${hasMessages ? item(strings.download, () => downloadTranscript(chat)) : nothing}
                <button
                  class="menu-item"
                  part="menu-item"
                  role="menuitemcheckbox"
                  tabindex="-1"
                  aria-checked=${soundFlag.get()}
                  @click=${() => this.#choose(this.#switchSound)}
                >
                  ${strings.sound}
                </button>
              </div>
            `
          : nothing
      }
    `;
  }

  /** Whether the panel floats above the page. On a phone it fills the screen. */
  get #canExpand(): boolean {
    return this.#store.chat.view.state.canExpand && this.closest('[popover]') !== null;
  }

  get #items(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>('.menu-item')];
  }

  readonly #toggle = async (): Promise<void> => {
    this.isOpen = !this.isOpen;
    await this.updateComplete;
    this.#items[0]?.focus();
  };

  /** Closes the menu and focuses its button. Returns whether the menu was open. */
  close(): boolean {
    if (!this.isOpen) return false;
    this.isOpen = false;
    this.querySelector('button')?.focus();
    return true;
  }

  /** Plays the sound when it is switched on, as a preview. */
  readonly #switchSound = (): void => {
    soundFlag.set(!soundFlag.get());
    chime();
  };

  readonly #startAgain = (): void => {
    void this.#store.chat.conversation.reset();
    this.dispatchEvent(new CustomEvent('attention', { bubbles: true, detail: 'conversation-started' }));
  };

  #choose(run: () => void): void {
    this.close();
    run();
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (!this.isOpen) return;
    const items = this.#items;
    const place = items.findIndex((item) => item.matches(':focus'));
    const moves: Record<string, number> = { ArrowDown: place + 1, ArrowUp: Math.max(place, 0) - 1, Home: 0, End: -1 };
    const to = moves[event.key];
    if (to !== undefined) items.at(to % items.length)?.focus();
    else if (event.key === 'Escape') this.close();
    else return;
    // Escape closes the menu, not the panel.
    event.preventDefault();
    event.stopPropagation();
  };

  readonly #onFocusout = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node) || !this.contains(relatedTarget)) this.isOpen = false;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-menu': MenuElement;
  }
}
