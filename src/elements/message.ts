/** One message of the transcript: of the visitor, of the assistant (also while it streams), of the team, or a notice. */
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import {
  isBusy,
  isTurnMessage,
  liveReply,
  type AgentMessage,
  type ChatMessage,
  type ConversationState,
  type LiveReply,
  type VisitorMessage,
} from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { importRuns, isolated, lacksRuns, MarkdownView } from '../markdown/index.ts';
import { defineLater } from './define-elements.ts';
import { loadedProblems, loadProblems } from './problem-loader.ts';

/** The longest delay between two updates of a streaming reply, in milliseconds. */
const maxDelay = 200;

/** Resolves with the next animation frame, or after a timeout when the page gets no frames. */
const nextFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, document.hidden ? 0 : maxDelay);
  });

/** Waits as long as the last update took to render and paint, so that the page keeps half of the main thread. */
const pauseAfterPaint = () => {
  const began = performance.now();
  return new Promise<void>((resolve) => {
    setTimeout(() => setTimeout(resolve, Math.min(performance.now() - began, maxDelay)));
  });
};

export class MessageElement extends LitElement {
  static override properties = {
    message: { attribute: false },
    previous: { attribute: false },
    next: { attribute: false },
  };

  /** Null for the reply that is streaming. */
  declare message: ChatMessage | null;
  /** The neighbours in the transcript. Undefined at its ends. */
  declare previous: ChatMessage | null | undefined;
  declare next: ChatMessage | null | undefined;

  readonly #store = new StoreController(this, (state) => this.#select(state), { isActive: () => !this.#isSettled });
  #view: MarkdownView | null = null;
  #pause: Promise<void> | undefined;

  constructor() {
    super();
    this.message = null;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  #select(state: ConversationState) {
    const { message } = this;
    const { turn } = state;
    return {
      live: message ? null : liveReply(state),
      isInFlight: isBusy(state) && message !== null && isTurnMessage(turn)(message),
      isOtherTabBusy: state.isOtherTabBusy,
      isQueued: state.queued.some(({ key }) => key === message?.key),
    };
  }

  /** Whether no later change of the state can affect this message. */
  get #isSettled(): boolean {
    const { message } = this;
    if (message?.role === 'user') return message.delivery === 'confirmed';
    return message !== null && (message.role === 'notice' || message.ending !== 'interrupted');
  }

  /** Renders a streaming reply at most once per frame, however many deltas arrive. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.message && this.hasUpdated) {
      await this.#pause;
      await nextFrame();
      this.#pause = pauseAfterPaint();
    }
    void super.scheduleUpdate();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { message } = this;
    if (message?.role === 'user') return this.#renderVisitor(message);
    if (message?.role === 'notice') return this.#renderEnd(message);
    const reply = message ?? this.#store.slice.live;
    return reply ? this.#renderAgent(reply, message) : nothing;
  }

  protected override updated(): void {
    loadedProblems()?.markPlace(this, this.#store.chat.view.state.languageTag);
    const reply = this.message ?? this.#store.slice.live;
    const container = this.querySelector<HTMLElement>('.text');
    if (!container || !reply || !('text' in reply)) return;
    const { strings, chat } = this.#store;
    this.#view ??= new MarkdownView(container, {
      labels: strings.code,
      linkHosts: chat.view.state.linkHosts,
      onLink: (url) => chat.openLink(url),
    });
    this.#view.update(reply.text, this.message !== null);
    this.#view.setLabels(strings.code);
  }

  #renderVisitor(message: VisitorMessage): TemplateResult {
    const { strings } = this.#store;
    const { text, label, delivery } = message;
    const summary = delivery === 'unconfirmed' ? strings.notConfirmed : strings.notSent;
    return html`
      <div class="message visitor" part="message message-visitor">
        <span class="visually-hidden">${strings.you}</span>
        <div class="bubble" part="bubble" dir="auto">${this.#isolate(label ?? text)}</div>
        ${this.#renderEnd(message, this.#showsTime(delivery) ? '' : summary)}
      </div>
    `;
  }

  /** Isolates the numbers in a text, once the code that finds them is loaded. */
  #isolate(text: string): unknown {
    if (lacksRuns(text))
      void importRuns().then(
        () => this.requestUpdate(),
        () => {},
      );
    return isolated(text, this.#store.chat.openLink);
  }

  /** Whether the message shows its time, and not a delivery problem. */
  #showsTime(delivery: VisitorMessage['delivery']): boolean {
    const { isInFlight, isOtherTabBusy, isQueued } = this.#store.slice;
    return delivery === 'confirmed' || delivery === 'sending' || isInFlight || isOtherTabBusy || isQueued;
  }

  /**
   * Renders the line below the message, or a notice.
   * @param problem Says in few words what went wrong. It is all that is shown while the code that explains it is not loaded.
   */
  #renderEnd(message: ChatMessage, problem = ''): TemplateResult {
    const code = loadedProblems();
    if (code) return code.messageEnd(message, problem !== '', this.#store.chat);
    void loadProblems().then(() => this.requestUpdate());
    return html`<p class="meta" part="meta"><strong>${problem}</strong></p>`;
  }

  #renderAgent(reply: AgentMessage | LiveReply, message: AgentMessage | null): TemplateResult {
    const { strings } = this.#store;
    const isTeam = message?.actor === 'owner';
    const hasBlocks = reply.blocks.length > 0;
    return html`
      <div class="message agent ${hasBlocks ? 'wide' : ''}" part="message ${isTeam ? 'message-team' : 'message-agent'}">
        ${loadedProblems()?.avatar(message, this.#store.chat)}
        <span class=${isTeam ? 'author' : 'visually-hidden'}
          >${isTeam ? html`<bdi>${message.author ?? strings.person}</bdi>` : strings.assistant}</span
        >
        ${this.#renderTools(reply)}
        <div class="bubble" part="bubble" lang=${message?.lang ?? nothing} ?hidden=${!reply.text}>
          <div class="text"></div>
        </div>
        ${!message && !reply.text ? this.#renderThinking() : nothing}
        ${hasBlocks ? html`<workspace-chat-blocks .reply=${reply}></workspace-chat-blocks>` : nothing}
        ${this.#renderSources(reply)}
        ${message ? this.#renderEnd(message, message.ending === 'interrupted' ? strings.interrupted : '') : nothing}
      </div>
    `;
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
        <span class="visually-hidden">${this.#store.strings.thinking}</span><i></i><i></i><i></i>
      </div>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-message': MessageElement;
  }
}
