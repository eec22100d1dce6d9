/** One message of the transcript: of the visitor, of the assistant (also while it streams), of the team, or a notice. */
import { html, LitElement, nothing, render, type TemplateResult } from 'lit';
import {
  liveReply,
  type AgentMessage,
  type ChatMessage,
  type LiveReply,
  type VisitorMessage,
} from '../chat/state/state.ts';
import { isShallowEqual } from '../controllers/store-controller.ts';
import { MarkdownView, renderRuns, setAttribute } from '../markdown/index.ts';
import { defineLater } from './define-elements.ts';
import type { Entry } from './message-list.ts';
import { loadedProblems, loadProblems } from './problem-loader.ts';

/** The longest delay between two updates of a streaming reply, in milliseconds. */
const maxDelay = 200;

/** The characters of an update that arrived far faster than anyone reads. Then every second frame is enough. */
const longUpdate = 200;
/** The milliseconds of a frame, rounded up. */
const frameTime = 17;

/** Resolves with the next animation frame, or after a timeout when the page gets no frames. */
const nextFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, document.hidden ? 0 : maxDelay);
  });

/**
 * Waits as long as the last update took to render and paint, so that the page keeps half of the main thread.
 * @param shortest Returns the shortest delay, in milliseconds. It is called after the paint.
 */
const pauseAfterPaint = (shortest: () => number) => {
  const began = performance.now();
  return new Promise<void>((resolve) => {
    setTimeout(() => {
      const taken = Math.min(performance.now() - began, maxDelay);
      setTimeout(resolve, Math.max(taken, shortest()));
    });
  });
};

/** Renders parts that most messages lack: each part of a template takes memory. */
const optional = (...parts: unknown[]): unknown => (parts.every((part) => part === nothing) ? nothing : parts);

export class MessageElement extends LitElement {
  static override properties = {
    entry: { attribute: false, hasChanged: (entry: Entry, previous?: Entry) => !isShallowEqual(previous, entry) },
  };

  /** The message, and what it is shown with. Not found through the context, because a transcript has many messages. */
  declare entry: Entry;
  /** The message, or the reply that is streaming. */
  #shown: ChatMessage | LiveReply | null = null;
  #unsubscribe: (() => void) | undefined;
  #view: MarkdownView | null = null;
  /** The element of the text. It is no part of a template, because most of a long transcript is nothing else. */
  #bubble: HTMLElement | null = null;
  /** Whether the text of the visitor is rendered with its runs. */
  #hasRuns = false;
  /** Whether there was something in front of the bubble. */
  #hasBefore = false;
  #pause: Promise<void> | undefined;
  /** The number of characters that are rendered. */
  #length = 0;
  /** The number of characters that the last update added. */
  #added = 0;

  /** Null for the reply that is streaming. */
  get message(): ChatMessage | null {
    return this.entry.message;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe?.();
  }

  /** Follows the reply that is streaming. A message changes with its entry. */
  #follow(): void {
    this.#unsubscribe?.();
    if (this.message || !this.isConnected) return;
    this.#unsubscribe = this.entry.chat.conversation.store.subscribe((state) => {
      if (liveReply(state) !== this.#shown) this.requestUpdate();
    });
  }

  /** Renders a streaming reply at most once per frame, however many deltas arrive. */
  protected override async scheduleUpdate(): Promise<void> {
    if (this.hasUpdated && !this.message) {
      await this.#pause;
      await nextFrame();
      this.#pause = pauseAfterPaint(() => (this.#added > longUpdate ? frameTime : 0));
    }
    void super.scheduleUpdate();
  }

  protected override willUpdate(): void {
    const { message } = this;
    const shown = message ?? liveReply(this.entry.chat.conversation.store.state);
    this.#shown = shown;
    if (message?.role === 'notice' || !shown) return;
    const side = message?.role === 'user' ? 'visitor' : 'agent';
    this.className = `message ${side}`;
    const author = message?.role === 'assistant' && message.actor === 'owner' ? 'team' : side;
    this.setAttribute('part', `message message-${author}`);
    if (!this.#bubble) {
      this.#bubble = this.appendChild(document.createElement('div'));
      this.#bubble.className = message?.role === 'user' ? 'bubble' : 'bubble text';
      this.#bubble.setAttribute('part', 'bubble');
    }
    if (message?.role === 'user') this.#showVisitor(this.#bubble, message);
    else this.#showAgent(this.#bubble, shown as AgentMessage | LiveReply, message);
  }

  /** Renders what follows the bubble. */
  protected override render(): unknown {
    const { message } = this;
    if (message?.role === 'user') return this.#renderVisitorEnd(message);
    if (message?.role === 'notice') return this.#renderEnd(message);
    const reply = this.#shown;
    return reply && 'blocks' in reply ? this.#renderAfter(reply, message) : nothing;
  }

  protected override updated(): void {
    this.#follow();
    const { view } = this.entry;
    loadedProblems()?.markPlace(this, this.entry);
    const shown = this.#shown;
    if (!shown || !('blocks' in shown)) return;
    const { strings } = view;
    this.#added = shown.text.length - this.#length;
    this.#length = shown.text.length;
    this.#view ??= new MarkdownView(this.#bubble!, { labels: strings.code, linkHosts: view.linkHosts });
    this.#view.update(shown.text, this.message !== null);
    this.#view.setLabels(strings.code);
  }

  #showVisitor(bubble: HTMLElement, { text, label }: VisitorMessage): void {
    bubble.dir = 'auto';
    setAttribute(bubble, 'data-author', this.entry.view.strings.you);
    const content = renderRuns(label ?? text, this.entry.chat.openLink);
    if (typeof content === 'string' && !this.#hasRuns) {
      if (bubble.textContent !== content) bubble.textContent = content;
      return;
    }
    if (!this.#hasRuns) bubble.textContent = '';
    this.#hasRuns = true;
    render(content, bubble);
  }

  #renderVisitorEnd(message: VisitorMessage): TemplateResult | typeof nothing {
    const { strings } = this.entry.view;
    const { delivery } = message;
    const hasFailed = delivery !== 'confirmed' && delivery !== 'sending' && !this.entry.isPending;
    const problem = delivery === 'unconfirmed' ? strings.notConfirmed : strings.notSent;
    return this.#renderEnd(message, hasFailed ? problem : '');
  }

  /**
   * Renders the line below the message, or a notice.
   * @param problem Says in few words what went wrong. It is all that is shown while the code that explains it is not loaded.
   */
  #renderEnd(message: ChatMessage, problem = ''): TemplateResult | typeof nothing {
    const code = loadedProblems();
    if (code) return code.messageEnd(this, message, problem !== '');
    void loadProblems().then(() => this.requestUpdate());
    return html`<p class="meta" part="meta"><strong>${problem}</strong></p>`;
  }

  #showAgent(bubble: HTMLElement, reply: AgentMessage | LiveReply, message: AgentMessage | null): void {
    const { strings, languageTag } = this.entry.view;
    const { text } = reply;
    const isTeam = message?.actor === 'owner';
    bubble.hidden = !text;
    setAttribute(bubble, 'data-author', isTeam ? null : strings.assistant);
    // The attribute comes with the end of the reply, and makes the browser compute all its styles again: only where it matters.
    const lang = message?.lang;
    setAttribute(bubble, 'lang', lang && languageTag.split('-')[0] !== lang ? lang : null);
    const name = isTeam ? html`<bdi>${message.author ?? strings.person}</bdi>` : strings.assistant;
    const author = html`<span class=${isTeam ? 'author' : 'visually-hidden'}>${name}</span>`;
    const before = optional(
      loadedProblems()?.avatar(message, this.entry.chat) ?? nothing,
      isTeam || !text ? author : nothing,
      this.#renderTools(reply),
    );
    if (before !== nothing || this.#hasBefore) {
      this.#hasBefore = true;
      render(before, this, { renderBefore: bubble });
    }
  }

  #renderAfter(reply: AgentMessage | LiveReply, message: AgentMessage | null): unknown {
    const problem = message?.ending === 'interrupted' ? this.entry.view.strings.interrupted : '';
    return optional(
      !message && !reply.text ? this.#renderThinking() : nothing,
      reply.blocks.length > 0 ? html`<workspace-chat-blocks .reply=${reply}></workspace-chat-blocks>` : nothing,
      this.#renderSources(reply),
      message ? this.#renderEnd(message, problem) : nothing,
    );
  }

  #renderTools({ tools }: AgentMessage | LiveReply): TemplateResult | typeof nothing {
    if (tools.length === 0) return nothing;
    defineLater(import('./tool-runs.ts'), this);
    return html`<workspace-chat-tools .runs=${tools}></workspace-chat-tools>`;
  }

  #renderSources({ sources }: AgentMessage | LiveReply): TemplateResult | typeof nothing {
    if (sources.length === 0) return nothing;
    defineLater(import('./sources.ts'), this);
    return html`<workspace-chat-sources .sources=${sources}></workspace-chat-sources>`;
  }

  #renderThinking(): TemplateResult {
    return html`
      <div class="bubble thinking" part="bubble thinking">
        <span class="visually-hidden">${this.entry.view.strings.thinking}</span><i></i><i></i><i></i>
      </div>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-message': MessageElement;
  }
}
