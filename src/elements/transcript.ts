/** The transcript: a scrolling list of messages, oldest first, that stays at its end while the reader is there. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import {
  isBusy,
  liveReply,
  type ChatMessage,
  type ConversationState,
  type VisitorMessage,
} from '../chat/state/state.ts';
import { ScrollController } from '../controllers/scroll-controller.ts';
import { StagingController } from '../controllers/staging-controller.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { disclaimer } from './disclaimer.ts';
import { MessageList, type Entry } from './message-list.ts';
import { loadedProblems } from './problem-loader.ts';

/** Lets the page handle a link of a reply that was activated. One listener for all replies. */
const onActivated = (event: Event): void => {
  const link = (event.target as Element).closest('.text a[href]');
  const { entry } = link?.closest('workspace-chat-message') ?? {};
  if (entry && !entry.chat.openLink(link!.getAttribute('href')!)) event.preventDefault();
};

/** A visitor who is not proven yet sees the messages of this visit. */
const isShown = ({ status, messages }: ConversationState): boolean =>
  status === 'ready' || (status !== 'suspended' && messages.length > 0);

export class TranscriptElement extends LitElement {
  readonly #store = new StoreController(this, (state) => ({
    /** Null while the messages may not be shown, or are still being read. */
    messages: isShown(state) ? state.messages : null,
    queued: state.queued,
    isPersonReplying: state.state === 'human_active',
    liveKey: isShown(state) ? (liveReply(state)?.key ?? null) : null,
    /** The message of the turn that is in progress. */
    sendingKey: isBusy(state) && 'messageKey' in state.turn ? state.turn.messageKey : null,
    isOtherTabBusy: state.isOtherTabBusy,
  }));
  readonly #scroll = new ScrollController(this);
  readonly #staging = new StagingController(this);
  readonly #list = new MessageList();
  /** The entries of the last update, and the number of older messages that were hidden then. */
  #entries: readonly Entry[] = [];
  #hiddenCount = 0;
  #lastSent: string | null = null;
  /** The number of messages when the reader scrolled away from the end. */
  #seenCount = 0;
  /** The newest messages: a long transcript is rendered in steps. */
  #shown: readonly ChatMessage[] = [];

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const { strings, chat } = this.#store;
    const { messages, liveKey, isPersonReplying } = this.#store.slice;
    const { greeting, starters } = chat.view.state;
    const count = messages?.length ?? 0;
    return html`
      <div class="scroller" tabindex="0" role="log" aria-live="off" aria-label=${strings.transcript} part="messages">
        <div class="messages">
          ${disclaimer(strings, isPersonReplying)}
          <slot name="greeting" ?hidden=${this.#shown.length < count}>
            ${
              greeting && messages
                ? html`<div class="message agent" part="message message-agent">
                    ${loadedProblems()?.avatar(null, chat)}
                    <div class="bubble" part="bubble" dir="auto">${greeting}</div>
                  </div>`
                : nothing
            }
          </slot>
          <div class="pages" @click=${onActivated} @auxclick=${onActivated}></div>
          ${
            messages?.length === 0 && starters.length > 0
              ? html`<div class="starters">
                  ${starters.map(
                    (text) =>
                      html`<button
                        class="button starter"
                        part="starter"
                        dir="auto"
                        @click=${() => void chat.conversation.send(text)}
                      >
                        ${text}
                      </button>`,
                  )}
                </div>`
              : nothing
          }
        </div>
      </div>
      ${
        this.#scroll.isAtEnd
          ? nothing
          : html`<workspace-chat-to-end
              .hasNews=${count > this.#seenCount || (liveKey && !this.#scroll.isPinned)}
              @click=${() => this.#scroll.pin(true)}
            ></workspace-chat-to-end>`
      }
    `;
  }

  /** Returns what is shown: the messages, the reply that is streaming, and the messages that wait. */
  #toEntries(hiddenCount: number): Entry[] {
    const { chat } = this.#store;
    const { messages, queued, liveKey, sendingKey, isOtherTabBusy } = this.#store.slice;
    const view = chat.view.state;
    const shown = [...this.#shown, ...(liveKey ? [null] : []), ...queued];
    const isWaiting = (message: VisitorMessage) =>
      message.delivery !== 'confirmed' && (isOtherTabBusy || message.key === sendingKey || queued.includes(message));
    return shown.map((message, index) => {
      const key = message?.key ?? liveKey!;
      const previous = index > 0 ? shown[index - 1] : messages?.[hiddenCount - 1];
      const next = shown[index + 1];
      const isPending = message?.role === 'user' && isWaiting(message);
      // Almost all messages of a long transcript keep their entry. Comparing new ones would take longer than the rest of the update.
      // A view belongs to one chat.
      const last = this.#entries[index + hiddenCount - this.#hiddenCount];
      const isSame =
        last?.message === message &&
        last.key === key &&
        last.view === view &&
        last.previous === previous &&
        last.next === next &&
        last.isPending === isPending;
      return isSame ? last : { key, chat, view, message, previous, next, isPending };
    });
  }

  protected override willUpdate(): void {
    const { messages, sendingKey } = this.#store.slice;
    // Sending a message scrolls back to the end.
    if (sendingKey && sendingKey !== this.#lastSent) this.#scroll.pin();
    this.#lastSent = sendingKey;
    if (this.#scroll.isPinned) this.#seenCount = messages?.length ?? 0;
    this.#shown = this.#staging.visible(messages ?? []);
  }

  protected override updated(): void {
    const content = this.querySelector<HTMLElement>('.messages')!;
    const pages = content.querySelector('.pages')!;
    const hiddenCount = (this.#store.slice.messages?.length ?? 0) - this.#shown.length;
    this.#entries = this.#toEntries(hiddenCount);
    this.#hiddenCount = hiddenCount;
    this.#list.update(pages, this.#entries, hiddenCount);
    this.#scroll.observe(this.querySelector('.scroller')!, content, () => {
      const last = pages.lastElementChild?.lastElementChild;
      // Before the first message, the greeting and the starters are read from their top.
      return last?.matches('.visitor') ? null : (last ?? content);
    });
  }
}

export const transcriptStyles = css`
  workspace-chat-transcript {
    position: relative;
    display: block;
    min-block-size: 0;
    flex: 1 1 0;
  }

  .scroller {
    block-size: 100%;
    overflow-y: auto;
    overscroll-behavior: contain;
    scrollbar-width: thin;
    scrollbar-color: var(--_border) transparent;
  }

  .scroller:focus-visible {
    outline-offset: -0.125em;
  }

  /* Blocks, not flex items: a flex container would lay out a thousand messages again at each delta. */
  .messages {
    padding: var(--_space);
  }

  .messages > .disclaimer {
    display: none;
  }

  .page > *,
  .messages > slot > * {
    margin-block-end: 0.75em;
  }

  .page:last-child > workspace-chat-message:last-child {
    margin-block-end: 0.25em;
  }

  /* Pages out of view skip layout, but stay available to find-in-page, selection and screen readers. */
  @supports (overflow-anchor: auto) {
    .page:not(:last-child) {
      content-visibility: auto;
      contain-intrinsic-block-size: auto 250em;
      /* Pages clip their content, and the focus rings at their edges need room. */
      margin: -0.25em;
      padding: 0.25em;
    }
  }

  .starters,
  .options {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
  }

  .starter {
    text-align: start;
  }
`;
