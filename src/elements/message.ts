/** One message of the transcript: of the visitor, of the assistant (also while it streams), of the team, or a notice. */
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import {
  liveReply,
  type AgentMessage,
  type ChatMessage,
  type LiveReply,
  type VisitorMessage,
} from '../chat/state/state.ts';
import type { ChatContext, ViewState } from '../controllers/chat-context.ts';
import { formatTime } from '../locale/format.ts';
import { hasShownText, joinTexts, MarkdownView, showPersonText } from '../markdown/index.ts';
import { avatar } from './avatar.ts';
import { dayOf, isGrouped, isSoon, messageEnd } from './message-end.ts';
import { authorName, otherLanguage } from './message-text.ts';
import { PrivateElement } from './private-element.ts';

/** The longest and the shortest delay between two updates of a streaming reply, in milliseconds. The shortest is a frame, rounded up. */
const maxDelay = 200;
const minDelay = 17;

/** Resolves with the next animation frame, or after a timeout when the page gets no frames. */
const nextFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, document.hidden ? 0 : maxDelay);
  });

export class MessageElement extends PrivateElement {
  static override properties: PropertyDeclarations = {
    chat: { attribute: false },
    view: { attribute: false },
    message: { attribute: false },
    previous: { attribute: false },
    next: { attribute: false },
    isPending: { attribute: false },
  };

  /** Not found through the context, because a transcript has many messages. */
  declare chat: ChatContext;
  declare view: ViewState;
  /** Null for the reply that is streaming. */
  declare message: ChatMessage | null;
  /** The neighbors in the transcript. Undefined at its ends, null for the reply that is streaming. */
  declare previous: ChatMessage | null | undefined;
  declare next: ChatMessage | null | undefined;
  /** Whether it is being sent, or waits for that. */
  declare isPending: boolean;
  /** The message, or the reply that is streaming. */
  #shown: ChatMessage | LiveReply | null = null;
  /** Stops following the reply that is streaming. */
  #unfollow: (() => void) | null = null;
  #markdown: MarkdownView | null = null;
  /** The text of a person that is shown, or null before the first one. */
  #personText: string | null = null;
  /** When the reply that is streaming may be rendered again, in milliseconds as in `performance.now()`. */
  #resumesAt = 0;

  protected override onConnected(): void {
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#follow();
  }

  /** Follows the reply that is streaming. A message changes with its property. */
  #follow(): void {
    if (this.message || !this.isConnected) {
      this.#unfollow?.();
      this.#unfollow = null;
      return;
    }
    this.#unfollow ??= this.chat.conversation.store.subscribe((state) => {
      if (liveReply(state) !== this.#shown) this.requestUpdate();
    });
  }

  /** Renders a streaming reply in every second frame at most, however many deltas arrive. Its end waits for the next frame only. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated && !this.message) {
      do await nextFrame();
      while (!this.message && performance.now() < this.#resumesAt);
      this.#pause();
    }
    void super.scheduleUpdate();
  }

  /** Pauses as long as an update takes to render and paint, so that the page keeps half of the main thread. */
  #pause(): void {
    const began = performance.now();
    this.#resumesAt = Infinity;
    setTimeout(() => {
      const now = performance.now();
      this.#resumesAt = now + Math.max(Math.min(now - began, maxDelay), minDelay);
    });
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const { message, next, previous, view } = this;
    this.#shown = message ?? liveReply(this.chat.conversation.store.state);
    if (!['message', 'next', 'previous', 'view', 'isPending'].some((name) => changed.has(name))) return;
    this.toggleAttribute('grouped', Boolean(message && next && isGrouped(message, next)));
    const day = dayOf(message, previous, view.languageTag, Date.now());
    if (day) this.dataset['day'] = day;
    else this.removeAttribute('data-day');
    if (message?.role === 'notice') return;
    this.role = 'article';
    const name = authorName(message, view);
    this.ariaLabel = message ? joinTexts([name, formatTime(message.at, view.languageTag)]) : name;
    const side = message?.role === 'user' ? 'visitor' : 'agent';
    const author = message?.role === 'assistant' && message.actor === 'owner' ? 'team' : side;
    // The time of a message is shown at the end of five minutes. While a message is being sent, its reply is on its way.
    const isFollowed = next !== undefined && (next === null || (message && isSoon(message, next)));
    const isQuiet = message && (isFollowed || this.isPending);
    this.className = `message ${side}${isQuiet ? ' quiet' : ''}`;
    this.setAttribute('part', `message message-${author}`);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { message } = this;
    const shown = this.#shown;
    if (message?.role === 'notice') return messageEnd(message, this.view, false);
    if (message?.role === 'user') return this.#renderVisitor(message);
    return shown && 'blocks' in shown ? this.#renderReply(shown, message) : nothing;
  }

  protected override updated(): void {
    this.#follow();
    const shown = this.#shown;
    const { strings, linkHosts } = this.view;
    const { message } = this;
    if (message?.role === 'user') this.#showPerson(message.label ?? message.text);
    if (!shown || !('blocks' in shown)) return;
    if (message?.role === 'assistant' && message.actor === 'owner') return this.#showPerson(shown.text, linkHosts);
    // The view owns the bubble's content, which the template leaves empty.
    this.#markdown ??= new MarkdownView(this.querySelector<HTMLElement>('.text')!, { labels: strings, linkHosts });
    this.#markdown.update(shown.text, message !== null);
    this.#markdown.setLabels(strings);
  }

  /** Shows the text of a visitor or a team member, which is not Markdown, in the bubble that the template leaves empty. */
  #showPerson(text: string, linkHosts?: string): void {
    if (text === this.#personText) return;
    this.#personText = text;
    showPersonText(this.querySelector('.person')!, text, linkHosts);
  }

  #renderVisitor(message: VisitorMessage): TemplateResult {
    const { delivery } = message;
    const hasFailed = delivery !== 'confirmed' && delivery !== 'sending' && !this.isPending;
    const { you } = this.view.strings;
    return html`
      <div class="bubble person" part="bubble" data-author=${you}></div>
      ${messageEnd(message, this.view, hasFailed)}
    `;
  }

  #renderReply(reply: AgentMessage | LiveReply, message: AgentMessage | null): TemplateResult {
    const { strings } = this.view;
    const { text, tools, blocks, sources } = reply;
    const isTeam = message?.actor === 'owner';
    const isEmpty = isTeam ? !text : !hasShownText(text);
    const name = html`<bdi>${authorName(message, this.view)}</bdi>`;
    // The attribute comes with the end of the reply, and makes the browser compute all its styles again: only where it matters.
    const lang = (message && otherLanguage(message, this.view)) || nothing;
    return html`
      ${avatar(message, this.view)}
      ${isTeam || isEmpty ? html`<span class=${isTeam ? 'author' : 'visually-hidden'}>${name}</span>` : nothing}
      ${tools.length > 0 ? html`<workspace-chat-tools .runs=${tools}></workspace-chat-tools>` : nothing}
      <div
        class=${isTeam ? 'bubble text person' : 'bubble text'}
        part="bubble"
        ?hidden=${isEmpty}
        data-author=${isTeam ? nothing : strings.assistant}
        lang=${lang}
      ></div>
      ${!message && isEmpty ? this.#renderThinking() : nothing}
      ${blocks.length > 0 ? html`<workspace-chat-blocks .reply=${reply}></workspace-chat-blocks>` : nothing}
      ${sources.length > 0 ? html`<workspace-chat-sources .sources=${sources}></workspace-chat-sources>` : nothing}
      ${message ? messageEnd(message, this.view, false) : nothing}
    `;
  }

  #renderThinking(): TemplateResult {
    return html`
      <div class="bubble thinking" part="bubble thinking">
        <span class="visually-hidden">${this.view.strings.thinking}</span><i></i><i></i><i></i>
      </div>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-message': MessageElement;
  }
}
