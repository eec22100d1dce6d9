/** The transcript: a scrolling list of messages, oldest first, that stays at its end while the reader is there. */
import { css, html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import {
  liveReply,
  turnInProgress,
  type ChatMessage,
  type ConversationState,
  type VisitorMessage,
} from '../chat/state/state.ts';
import { replyPlace } from '../chat/state/reply-events.ts';
import { links as renderLinks } from '../blocks/links.ts';
import type { ViewState } from '../controllers/chat-context.ts';
import { ScrollController } from '../controllers/scroll-controller.ts';
import { StagingController } from '../controllers/staging-controller.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { directionOfText, renderRuns } from '../markdown/index.ts';
import { avatar } from './avatar.ts';
import { disclaimer } from './disclaimer.ts';
import { nextIcon } from './icons.ts';
import { PrivateElement } from './private-element.ts';

/** The messages of a page. The browser can skip the layout of a page that is out of view. */
const messagesPerPage = 50;

/** A message of the transcript. */
interface Entry {
  readonly key: string;
  /** Null for the reply that is streaming. */
  readonly message: ChatMessage | null;
  /** Whether it is being sent, or waits for that. */
  readonly isPending: boolean;
}

/** A part of the transcript, with the neighbors of its first and its last message. */
interface Page {
  /** Counted from the first message of the transcript, so that a page keeps its number while older ones appear. */
  readonly number: number;
  readonly entries: readonly Entry[];
  readonly previous: ChatMessage | null | undefined;
  readonly next: ChatMessage | null | undefined;
}

/**
 * @param before The message before the first entry. Undefined at the start of the transcript.
 * @param hiddenCount The number of older messages that are not rendered yet.
 */
const toPages = (entries: readonly Entry[], before: ChatMessage | undefined, hiddenCount: number): Page[] => {
  const pages: Page[] = [];
  for (let start = 0, end; start < entries.length; start = end) {
    const number = Math.floor((start + hiddenCount) / messagesPerPage);
    end = (number + 1) * messagesPerPage - hiddenCount;
    const previous = start === 0 ? before : entries[start - 1]?.message;
    pages.push({ number, entries: entries.slice(start, end), previous, next: entries[end]?.message });
  }
  return pages;
};

/** Whether a message says that the team has handed the conversation back, or that it has ended. */
const isOver = (message: ChatMessage | undefined): boolean =>
  message?.role === 'notice' && (message.code === 'returned' || message.code === 'closed');

/** A visitor who is not proven yet sees the messages of this visit, and a new one the greeting before the storage is read. */
const isShown = ({ status, messages }: ConversationState, { isNew }: ViewState): boolean =>
  status === 'ready' || (status === 'loading' && isNew) || (status !== 'suspended' && messages.length > 0);

export class TranscriptElement extends PrivateElement {
  readonly #store = new StoreController(this, (state, view) => ({
    /** Null while the messages may not be shown, or are still being read. */
    messages: isShown(state, view) ? state.messages : null,
    queued: state.queued,
    conversationId: state.conversationId,
    isPersonReplying: state.state === 'human_active',
    liveKey: (isShown(state, view) && liveReply(state)?.key) || null,
    /** The message of the turn that is in progress. */
    sendingKey: turnInProgress(state)?.messageKey ?? null,
    isOtherTabBusy: state.isOtherTabBusy,
  }));
  readonly #scroll = new ScrollController(this);
  readonly #staging = new StagingController(this);
  #lastSent: string | null = null;
  /** The suggestions that were announced last. */
  #announced: ViewState['suggestions'] = null;
  /** The number of messages when the reader scrolled away from the end. */
  #seenCount = 0;
  /** The newest messages: a long transcript is rendered in steps. */
  #shown: readonly ChatMessage[] = [];

  protected override willUpdate(): void {
    const { messages, sendingKey } = this.#store.slice;
    // Sending a message scrolls back to the end.
    if (sendingKey && sendingKey !== this.#lastSent) this.#scroll.pin();
    this.#lastSent = sendingKey;
    if (this.#scroll.isPinned) this.#seenCount = messages?.length ?? 0;
    this.#shown = this.#staging.visible(messages ?? []);
  }

  protected override render(): TemplateResult {
    const { strings, view } = this.#store;
    const { liveKey, isPersonReplying, conversationId } = this.#store.slice;
    const { greeting, starters, links, consent, hasRating, historyUrl } = view;
    // Before the visitor's consent nothing is read.
    const messages = consent ? [] : this.#store.slice.messages;
    const isEmpty = messages?.length === 0;
    const count = messages?.length ?? 0;
    return html`
      <div class="scroller" tabindex="0" role="log" aria-live="off" aria-label=${strings.transcript} part="messages">
        <div class=${isEmpty ? 'messages empty' : 'messages'}>
          ${disclaimer(strings, isPersonReplying)}
          <slot name="greeting" ?hidden=${this.#shown.length < count}>
            ${greeting && messages ? this.#renderGreeting(isEmpty) : nothing}
          </slot>
          <div class="pages">${this.#renderPages()}</div>
          ${
            hasRating && conversationId && isOver(messages?.at(-1))
              ? html`<workspace-chat-rating .conversationId=${conversationId}></workspace-chat-rating>`
              : nothing
          }
          ${isEmpty && historyUrl && !consent ? this.#renderHistory() : nothing}
          ${isEmpty && links.length > 0 ? this.#renderLinks() : nothing} ${this.#renderSuggestions()}
          ${
            isEmpty && !consent && starters.length > 0
              ? html`<div class="starters">${this.#renderOffers(starters, 'starter', nextIcon)}</div>`
              : nothing
          }
        </div>
      </div>
      ${
        this.#scroll.isAtEnd || isEmpty
          ? nothing
          : html`<workspace-chat-to-end
              .hasNews=${count > this.#seenCount || (liveKey && !this.#scroll.isPinned)}
              @click=${() => this.#scroll.pin(true)}
            ></workspace-chat-to-end>`
      }
    `;
  }

  /** Renders the greeting: as a title before the first message, then as a message. */
  #renderGreeting(isTitle: boolean): TemplateResult {
    const { view } = this.#store;
    const [text, dir] = [renderRuns(view.greeting), directionOfText(view.greeting)];
    if (isTitle)
      return html`<div class="welcome">
        ${avatar(null, view)}
        <p dir=${dir}>${text}</p>
      </div>`;
    return html`<div class="message agent" part="message message-agent">
      ${avatar(null, view)}
      <div class="bubble" part="bubble" dir=${dir}>${text}</div>
    </div>`;
  }

  #renderHistory(): TemplateResult {
    return html`<button
      class="button starter"
      part="starter"
      @click=${() => this.closest('workspace-chat-panel')!.openSheet('history')}
    >
      <span>${this.#store.strings.history.title}</span>${nextIcon}
    </button>`;
  }

  /** Renders what there is to read before the first message. */
  #renderLinks(): TemplateResult {
    const { view, chat } = this.#store;
    const context = { key: '', view, submitted: null, isBusy: false, submit: () => false, openLink: chat.openLink };
    return renderLinks({ type: 'links', links: view.links }, context);
  }

  /** Renders texts that the visitor can send with a click. */
  #renderOffers(texts: readonly string[], kind: 'starter' | 'option', icon?: TemplateResult): TemplateResult[] {
    const { conversation } = this.#store.chat;
    return texts.map(
      (text) =>
        html`<button
          class="button ${kind}"
          part=${kind}
          dir=${directionOfText(text)}
          @click=${() => void conversation.send(text)}
        >
          <span>${renderRuns(text)}</span>${icon}
        </button>`,
    );
  }

  /** Renders the messages that the page offers, until the next one. */
  #renderSuggestions(): TemplateResult | typeof nothing {
    const { strings, view, slice } = this.#store;
    const { messages, queued, sendingKey, liveKey } = slice;
    const { texts, afterKey } = view.suggestions ?? {};
    const isNext = liveKey === null && sendingKey === null && queued.length === 0;
    if (!texts?.length || !isNext || afterKey === undefined || messages?.at(-1)?.key !== afterKey) return nothing;
    return html`<div class="options suggestions" role="group" aria-label=${strings.suggestions}>
      ${this.#renderOffers(texts, 'option')}
    </div>`;
  }

  /** Announces suggestions that are shown for the first time. */
  #announceSuggestions(): void {
    const { suggestions } = this.#store.view;
    if (suggestions === this.#announced || !this.querySelector('.suggestions')) return;
    this.#announced = suggestions;
    this.dispatchEvent(new CustomEvent('attention', { bubbles: true, detail: 'suggestions-shown' }));
  }

  protected override updated(): void {
    this.#announceSuggestions();
    const content = this.querySelector<HTMLElement>('.messages')!;
    const pages = content.querySelector('.pages')!;
    this.#scroll.observe(this.querySelector('.scroller')!, content, () => {
      const last = pages.lastElementChild?.lastElementChild;
      // Before the first message, the greeting and the starters are read from their top.
      return last?.matches('.visitor') ? null : (last ?? content);
    });
  }

  /** Returns what is shown: the messages, the reply that is streaming, and the messages that wait. */
  get #entries(): Entry[] {
    const { queued, liveKey, sendingKey, isOtherTabBusy } = this.#store.slice;
    const isWaiting = (message: VisitorMessage) =>
      message.delivery !== 'confirmed' && (isOtherTabBusy || message.key === sendingKey || queued.includes(message));
    const toEntry = (message: ChatMessage): Entry => ({
      key: message.key,
      message,
      isPending: message.role === 'user' && isWaiting(message),
    });
    const entries: Entry[] = [...this.#shown.map(toEntry), ...queued.map(toEntry)];
    const live = { key: liveKey ?? '', message: null, isPending: false };
    return liveKey === null ? entries : entries.toSpliced(replyPlace(this.#shown, sendingKey ?? ''), 0, live);
  }

  #renderPages(): unknown {
    const { chat, view, slice } = this.#store;
    const hiddenCount = (slice.messages?.length ?? 0) - this.#shown.length;
    const pages = toPages(this.#entries, slice.messages?.[hiddenCount - 1], hiddenCount);
    return repeat(
      pages,
      ({ number }) => number,
      ({ entries, previous, next }) =>
        html`<div class="page">
          ${guard(
            // Almost all pages of a long transcript stay as they are.
            [
              chat,
              view,
              previous,
              next,
              ...entries.flatMap(({ key, message, isPending }) => [message ?? key, isPending]),
            ],
            () =>
              repeat(
                entries,
                ({ key }) => key,
                ({ message, isPending }, index) =>
                  html`<workspace-chat-message
                    .chat=${chat}
                    .view=${view}
                    .message=${message}
                    .previous=${index > 0 ? entries[index - 1]!.message : previous}
                    .next=${index < entries.length - 1 ? entries[index + 1]!.message : next}
                    .isPending=${isPending}
                  ></workspace-chat-message>`,
              ),
          )}
        </div>`,
    );
  }
}

export const transcriptStyles = css`
  workspace-chat-transcript {
    position: relative;
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    flex: 1 1 0;
  }

  /* A height in percent would be that of the panel on a page without a doctype in Safari. */
  .scroller {
    flex: 1;
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

  .empty {
    display: flex;
    flex-direction: column;
    min-block-size: 100%;
  }

  .welcome {
    display: grid;
    justify-items: center;
    gap: 1em;
    margin-block: auto;
    padding: 1em;
    font-size: 1.25em;
    font-weight: 650;
    line-height: 1.35;
    text-align: center;
    text-wrap: balance;
  }

  .welcome .avatar {
    inline-size: 2.5em;
    block-size: 2.5em;
    font-size: 1.125em;
  }

  .empty > :is(.block, .starter) {
    margin-block-end: 0.5em;
  }

  .starters {
    display: grid;
    gap: 0.5em;
  }

  .options {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5em;
  }

  .starter {
    display: flex;
    align-items: center;
    gap: 0.5em;
    min-block-size: 2.75em;
    color: var(--_text);
    text-align: start;
  }

  .starter span {
    flex: 1;
  }

  .starter svg {
    inline-size: 1em;
    block-size: 1em;
    color: var(--_accent-text);
  }
`;
