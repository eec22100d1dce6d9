/** One entry of the transcript: what the visitor said, an answer (also while it comes), or a notice. */
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import {
  isBusy,
  liveAnswer,
  type AgentMessage,
  type ChatMessage,
  type ConversationState,
  type LiveAnswer,
  type VisitorMessage,
} from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { formatTime } from '../locale/format.ts';
import { problemText } from '../locale/problem-text.ts';
import { copyText, MarkdownView, plainText } from '../markdown/index.ts';
import { sourceList } from './sources.ts';

/** The longest wait for drawing more of an answer, in milliseconds. */
const patience = 200;

/** The next frame; soon, where frames do not come. */
const nextFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, document.hidden ? 0 : patience);
  });

/** Until what is drawn now has been painted, and for as long again: the other half of the time is the page's. */
const rest = () => {
  const began = performance.now();
  return new Promise<void>((resolve) => {
    setTimeout(() => setTimeout(resolve, Math.min(performance.now() - began, patience)));
  });
};

/** The answer stands without them: a failure is tried again when one of them changes. */
const importTools = async (): Promise<void> => {
  const { ToolRunsElement } = await import('./tool-runs.ts');
  if (!customElements.get('workspace-chat-tools')) customElements.define('workspace-chat-tools', ToolRunsElement);
};

/** What most messages need of the state. One for all: a thousand of them look at each change. */
const unconcerned = [null, null, false, false] as const;

export class MessageElement extends LitElement {
  static override properties = { message: { attribute: false } };

  /** Null: the answer that is coming in. */
  declare message: ChatMessage | null;

  readonly #state = new StoreController(
    this,
    (state) => this.#select(state),
    () => this.message === null,
  );
  #view: MarkdownView | null = null;
  #rest: Promise<void> | undefined;

  constructor() {
    super();
    this.message = null;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** No more than this one message needs: in a long transcript most need nothing. */
  #select(state: ConversationState) {
    const { message } = this;
    const { turn, isElsewhere } = state;
    const isCut = message?.role === 'assistant' && message.ending === 'interrupted';
    const isUnsure = message?.role === 'user' && message.delivery !== 'confirmed';
    const canAct = isCut || isUnsure;
    const own = turn.status !== 'idle' && turn.messageKey === message?.key ? turn : null;
    if (message && !own && !canAct) return unconcerned;
    return [message ? null : liveAnswer(state), own, canAct && isBusy(state), canAct && isElsewhere] as const;
  }

  get #live(): LiveAnswer | null {
    return this.#state.value[0];
  }

  get #isBusy(): boolean {
    return this.#state.value[2];
  }

  get #isElsewhere(): boolean {
    return this.#state.value[3];
  }

  /** Deltas are drawn once a frame, however many come. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.message && this.hasUpdated) {
      await this.#rest;
      await nextFrame();
      this.#rest = rest();
    }
    void super.scheduleUpdate();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { message } = this;
    if (message?.role === 'user') return this.#renderVisitor(message);
    if (message?.role === 'notice') {
      return html`<p class="notice">${this.#state.strings.notices[message.code]}</p>`;
    }
    const answer = message ?? this.#live;
    return answer ? this.#renderAgent(answer, message) : nothing;
  }

  protected override updated(): void {
    const answer = this.message ?? this.#live;
    const container = this.querySelector<HTMLElement>('.text');
    if (!container || !answer || !('text' in answer)) return;
    const { strings, chat } = this.#state;
    this.#view ??= new MarkdownView(container, { labels: strings.code, onLink: (url) => chat.openLink(url) });
    this.#view.update(answer.text, this.message !== null);
    this.#view.setLabels(strings.code);
  }

  #renderVisitor({ text, at, delivery }: VisitorMessage): TemplateResult {
    const { strings, chat } = this.#state;
    return html`
      <div class="message visitor" part="message message-visitor">
        <span class="visually-hidden">${strings.you}</span>
        <div class="bubble" part="bubble" dir="auto">${text}</div>
        <p class="meta">
          ${this.#isSettled(delivery) ? formatTime(at, chat.view.state.languageTag) : this.#renderDelivery(delivery)}
        </p>
      </div>
    `;
  }

  #isSettled(delivery: VisitorMessage['delivery']): boolean {
    return delivery === 'confirmed' || delivery === 'sending' || this.#isElsewhere || this.#isUnderWay;
  }

  get #isUnderWay(): boolean {
    const [, turn] = this.#state.value;
    return turn !== null && turn.status !== 'failed';
  }

  #renderDelivery(delivery: VisitorMessage['delivery']): TemplateResult {
    const { strings, chat } = this.#state;
    const { key } = this.message!;
    const [, turn] = this.#state.value;
    return html`
      <strong>${delivery === 'unconfirmed' ? strings.notConfirmed : strings.notSent}</strong>
      ${turn?.status === 'failed' ? html`<span dir="auto">${problemText(turn.problem, strings)}</span>` : nothing}
      <span class="actions">
        <button class="text-button" ?disabled=${this.#isBusy} @click=${() => void chat.conversation.sendAgain(key)}>
          ${strings.sendAgain}
        </button>
        <button class="text-button" ?disabled=${this.#isBusy} @click=${() => chat.conversation.edit(key)}>
          ${strings.edit}
        </button>
      </span>
    `;
  }

  #renderAgent(answer: AgentMessage | LiveAnswer, message: AgentMessage | null): TemplateResult {
    const { strings, chat } = this.#state;
    const isTeam = message?.actor === 'owner';
    const hasBlocks = answer.blocks.length > 0;
    return html`
      <div class="message agent ${hasBlocks ? 'wide' : ''}" part="message ${isTeam ? 'message-team' : 'message-agent'}">
        <span class=${isTeam ? 'author' : 'visually-hidden'}>${isTeam ? strings.person : strings.assistant}</span>
        ${this.#renderTools(answer)}
        <div class="bubble" part="bubble" lang=${message?.lang ?? nothing} ?hidden=${!answer.text}>
          <div class="text"></div>
        </div>
        ${!message && !answer.text ? this.#renderThinking() : nothing}
        ${hasBlocks ? html`<workspace-chat-blocks .answer=${answer}></workspace-chat-blocks>` : nothing}
        ${sourceList(answer.sources, strings, (url) => chat.openLink(url))}
        ${message ? this.#renderEnd(message) : nothing}
      </div>
    `;
  }

  #renderTools({ tools }: AgentMessage | LiveAnswer): TemplateResult | typeof nothing {
    if (tools.length === 0) return nothing;
    importTools().catch((error: unknown) => console.error('workspace-chat: tools cannot be shown.', error));
    return html`<workspace-chat-tools .runs=${tools}></workspace-chat-tools>`;
  }

  #renderThinking(): TemplateResult {
    return html`
      <div class="bubble thinking" part="bubble">
        <span class="visually-hidden">${this.#state.strings.thinking}</span><i></i><i></i><i></i>
      </div>
    `;
  }

  #renderEnd(message: AgentMessage): TemplateResult {
    const { strings, chat } = this.#state;
    const notes = [
      message.outcome === 'refused' || message.refused ? strings.refused : '',
      message.limit ? strings.limit : '',
      message.degraded ? strings.degraded : '',
      message.ending === 'stopped' ? strings.stopped : '',
    ].filter(Boolean);
    const isCut = message.ending === 'interrupted' && !this.#isElsewhere;
    return html`
      <p class="meta">
        ${formatTime(message.at, chat.view.state.languageTag)}${notes.map((note) => html` · ${note}`)}
        ${
          message.text
            ? html`<button class="copy" .textContent=${strings.code.copy} @click=${this.#copy}></button>`
            : nothing
        }
        ${
          isCut
            ? html`<strong>${this.#cutReason(message)}</strong>
                <button class="text-button" ?disabled=${this.#isBusy} @click=${this.#askAgain}>
                  ${strings.askAgain}
                </button>`
            : nothing
        }
      </p>
    `;
  }

  /** Most cuts are alike; these are not. */
  #cutReason({ key }: AgentMessage): string {
    const { strings, chat } = this.#state;
    const { turn, messages } = chat.conversation.store.state;
    const code = turn.status === 'failed' && messages.at(-1)?.key === key ? turn.problem.code : '';
    return code === 'timeout' || code === 'answer_too_large' ? strings.problems[code] : strings.interrupted;
  }

  readonly #copy = ({ currentTarget }: Event): void => {
    const { message } = this;
    if (message?.role !== 'assistant' || !(currentTarget instanceof Element)) return;
    const shown = this.querySelector('.text')!;
    void copyText(currentTarget, plainText(message.text), shown, () => this.#state.strings.code);
  };

  readonly #askAgain = (): void => {
    const { conversation, send } = this.#state.chat;
    const { messages } = conversation.store.state;
    const place = messages.findIndex(({ key }) => key === this.message?.key);
    const question = messages.slice(0, place).findLast(({ role }) => role === 'user');
    if (question?.role === 'user') send(question.text);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-message': MessageElement;
  }
}
