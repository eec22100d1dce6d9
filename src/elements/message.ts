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
import { formatTime } from '../locale/format.ts';
import { importRuns, isolated, lacksRuns, MarkdownView, plainText } from '../markdown/index.ts';
import { defineLater } from './define-elements.ts';
import { loadProblems } from './problem-loader.ts';

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

/** Whether there is nothing to explain about a reply. */
const isOrdinary = ({ ending, outcome, refused, limit, degraded }: AgentMessage): boolean =>
  ending === 'whole' && outcome !== 'refused' && !refused && !limit && !degraded;

export class MessageElement extends LitElement {
  static override properties = { message: { attribute: false } };

  /** Null for the reply that is streaming. */
  declare message: ChatMessage | null;

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
    if (message?.role === 'notice') {
      return html`<p class="notice" part="notice">${this.#renderProblem('')}</p>`;
    }
    const reply = message ?? this.#store.slice.live;
    return reply ? this.#renderAgent(reply, message) : nothing;
  }

  protected override updated(): void {
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

  #renderVisitor({ text, label, at, delivery }: VisitorMessage): TemplateResult {
    const { strings, chat } = this.#store;
    return html`
      <div class="message visitor" part="message message-visitor">
        <span class="visually-hidden">${strings.you}</span>
        <div class="bubble" part="bubble" dir="auto">${this.#isolate(label ?? text)}</div>
        <p class="meta" part="meta">
          ${
            this.#showsTime(delivery)
              ? formatTime(at, chat.view.state.languageTag)
              : this.#renderProblem(delivery === 'unconfirmed' ? strings.notConfirmed : strings.notSent)
          }
        </p>
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

  /** Renders a notice, or what went wrong with the message, or only `summary` while the code that explains it is not loaded. */
  #renderProblem(summary: string, copyButton: unknown = nothing): TemplateResult {
    if (customElements.get('workspace-chat-problem')) {
      return html`<workspace-chat-problem .message=${this.message} .copyButton=${copyButton}></workspace-chat-problem>`;
    }
    void loadProblems().then(() => this.requestUpdate());
    return html`${copyButton}<strong>${summary}</strong>`;
  }

  #renderAgent(reply: AgentMessage | LiveReply, message: AgentMessage | null): TemplateResult {
    const { strings } = this.#store;
    const isTeam = message?.actor === 'owner';
    const hasBlocks = reply.blocks.length > 0;
    return html`
      <div class="message agent ${hasBlocks ? 'wide' : ''}" part="message ${isTeam ? 'message-team' : 'message-agent'}">
        <span class=${isTeam ? 'author' : 'visually-hidden'}
          >${isTeam ? html`<bdi>${message.author ?? strings.person}</bdi>` : strings.assistant}</span
        >
        ${this.#renderTools(reply)}
        <div class="bubble" part="bubble" lang=${message?.lang ?? nothing} ?hidden=${!reply.text}>
          <div class="text"></div>
        </div>
        ${!message && !reply.text ? this.#renderThinking() : nothing}
        ${hasBlocks ? html`<workspace-chat-blocks .reply=${reply}></workspace-chat-blocks>` : nothing}
        ${this.#renderSources(reply)} ${message ? this.#renderEnd(message) : nothing}
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

  #renderEnd(message: AgentMessage): TemplateResult {
    const { strings, chat } = this.#store;
    const copyButton = message.text
      ? html`<button class="copy" part="copy" .textContent=${strings.code.copy} @click=${this.#copy}></button>`
      : nothing;
    const isCut = message.ending === 'interrupted';
    return html`
      <p class="meta" part="meta">
        ${formatTime(message.at, chat.view.state.languageTag)}${
          isOrdinary(message) ? copyButton : this.#renderProblem(isCut ? strings.interrupted : '', copyButton)
        }
      </p>
    `;
  }

  readonly #copy = async ({ currentTarget }: Event): Promise<void> => {
    const { message } = this;
    if (message?.role !== 'assistant' || !(currentTarget instanceof Element)) return;
    // If the code cannot be loaded, the next click tries again.
    const code = await import('../markdown/copy.ts').catch(() => null);
    const shown = this.querySelector('.text')!;
    await code?.copyText(currentTarget, plainText(message.text), shown, () => this.#store.strings.code);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-message': MessageElement;
  }
}
