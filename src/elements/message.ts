/** One entry of the transcript: what the visitor said, an answer (also while it comes), or a notice. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import type { Block } from '../api/wire.ts';
import { drawBlock, type BlockContext } from '../blocks/index.ts';
import {
  formDraftKey,
  isBusy,
  liveAnswer,
  type AgentMessage,
  type ChatMessage,
  type LiveAnswer,
  type VisitorMessage,
} from '../chat/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { formatTime } from '../locale/format.ts';
import { problemCode } from '../locale/problem-code.ts';
import { MarkdownView } from '../markdown/index.ts';
import { sourceList } from './sources.ts';
import { toolRun } from './tool-run.ts';

/** The next frame; soon, where frames do not come. */
const nextFrame = () =>
  new Promise<void>((resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, document.hidden ? 0 : 200);
  });

export class MessageElement extends LitElement {
  static override properties = { message: { attribute: false } };

  /** Null: the answer that is coming in. */
  declare message: ChatMessage | null;

  readonly #live = new StoreController(this, (state) => (this.message ? null : liveAnswer(state)));
  readonly #turn = new StoreController(this, ({ turn }) =>
    turn.status !== 'idle' && turn.messageKey === this.message?.key ? turn : null,
  );
  readonly #isBusy = new StoreController(this, isBusy);
  /** Only who has something to answer needs to know what was answered. */
  readonly #submitted = new StoreController(this, ({ submitted }) =>
    this.message?.role === 'assistant' && this.message.blocks.length > 0 ? submitted : null,
  );
  readonly #isElsewhere = new StoreController(this, ({ isElsewhere }) => isElsewhere);
  #view: MarkdownView | null = null;

  constructor() {
    super();
    this.message = null;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Deltas are drawn once a frame, however many come. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.message && this.hasUpdated) await nextFrame();
    void super.scheduleUpdate();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { message } = this;
    if (message?.role === 'user') return this.#renderVisitor(message);
    if (message?.role === 'notice') {
      return html`<p class="notice">${this.#live.strings.notices[message.code]}</p>`;
    }
    const answer = message ?? this.#live.value;
    return answer ? this.#renderAgent(answer, message) : nothing;
  }

  protected override updated(): void {
    const answer = this.message ?? this.#live.value;
    const container = this.querySelector<HTMLElement>('.text');
    if (!container || !answer || !('text' in answer)) return;
    const { strings, chat } = this.#live;
    this.#view ??= new MarkdownView(container, { labels: strings.code, onLink: (url) => chat.openLink(url) });
    this.#view.update(answer.text, this.message !== null);
    this.#view.setLabels(strings.code);
  }

  #renderVisitor({ text, at, delivery }: VisitorMessage): TemplateResult {
    const { strings, chat } = this.#turn;
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
    return delivery === 'confirmed' || delivery === 'sending' || this.#isElsewhere.value || this.#isUnderWay;
  }

  get #isUnderWay(): boolean {
    const { value } = this.#turn;
    return value !== null && value.status !== 'failed';
  }

  #renderDelivery(delivery: VisitorMessage['delivery']): TemplateResult {
    const { strings, chat } = this.#turn;
    const { key } = this.message!;
    return html`
      <strong>${delivery === 'unconfirmed' ? strings.notConfirmed : strings.notSent}</strong>
      ${this.#renderProblem()}
      <span class="actions">
        <button
          class="text-button"
          ?disabled=${this.#isBusy.value}
          @click=${() => void chat.conversation.sendAgain(key)}
        >
          ${strings.sendAgain}
        </button>
        <button class="text-button" ?disabled=${this.#isBusy.value} @click=${() => chat.conversation.edit(key)}>
          ${strings.edit}
        </button>
      </span>
    `;
  }

  #renderProblem(): TemplateResult | typeof nothing {
    const { value: turn, strings } = this.#turn;
    if (turn?.status !== 'failed') return nothing;
    const { code, status, detail } = turn.problem;
    const known = problemCode(code, status);
    return html`<span dir="auto">${known ? strings.problems[known] : detail || strings.problems.unknown}</span>`;
  }

  #renderAgent(answer: AgentMessage | LiveAnswer, message: AgentMessage | null): TemplateResult {
    const { strings, chat } = this.#live;
    const isTeam = message?.actor === 'owner';
    const { conversation } = chat;
    return html`
      <div class="message agent" part="message ${isTeam ? 'message-team' : 'message-agent'}">
        <span class=${isTeam ? 'author' : 'visually-hidden'}>${isTeam ? strings.person : strings.assistant}</span>
        ${answer.tools.map((run) => toolRun(run, strings, (isGiven) => conversation.consent(run.callId, isGiven)))}
        <div class="bubble" part="bubble" ?hidden=${!answer.text}><div class="text"></div></div>
        ${!message && !answer.text ? this.#renderThinking() : nothing} ${this.#renderBlocks(answer)}
        ${sourceList(answer.sources, strings, (url) => chat.openLink(url))}
        ${message ? this.#renderEnd(message) : nothing}
      </div>
    `;
  }

  #renderBlocks({ key: messageKey, blocks }: AgentMessage | LiveAnswer): TemplateResult | typeof nothing {
    if (blocks.length === 0) return nothing;
    const { view, conversation, submitBlock, openLink } = this.#submitted.chat;
    const { submitted } = conversation.store.state;
    const draw = (block: Block, index: number) => {
      const key = formDraftKey(messageKey, index);
      const context: BlockContext = {
        key,
        view: view.state,
        submitted: submitted[key] ?? null,
        isBusy: this.#isBusy.value || this.#isElsewhere.value,
        submit: (text, form) => submitBlock(key, text, form),
        openLink,
      };
      return drawBlock(block, context);
    };
    return html`<div class="blocks">${blocks.map(draw)}</div>`;
  }

  #renderThinking(): TemplateResult {
    return html`
      <div class="bubble thinking" part="bubble">
        <span class="visually-hidden">${this.#live.strings.thinking}</span><i></i><i></i><i></i>
      </div>
    `;
  }

  #renderEnd(message: AgentMessage): TemplateResult {
    const { strings, chat } = this.#live;
    const notes = [
      message.outcome === 'refused' || message.refused ? strings.refused : '',
      message.limit ? strings.limit : '',
      message.degraded ? strings.degraded : '',
      message.ending === 'stopped' ? strings.stopped : '',
    ].filter(Boolean);
    const isCut = message.ending === 'interrupted' && !this.#isElsewhere.value;
    return html`
      <p class="meta">
        ${formatTime(message.at, chat.view.state.languageTag)}${notes.map((note) => html` · ${note}`)}
        ${
          isCut
            ? html`<strong>${this.#cutReason(message)}</strong>
                <button class="text-button" ?disabled=${this.#isBusy.value} @click=${this.#askAgain}>
                  ${strings.askAgain}
                </button>`
            : nothing
        }
      </p>
    `;
  }

  /** Most cuts are alike; these are not. */
  #cutReason({ key }: AgentMessage): string {
    const { strings, chat } = this.#live;
    const { turn, messages } = chat.conversation.store.state;
    const code = turn.status === 'failed' && messages.at(-1)?.key === key ? turn.problem.code : '';
    return code === 'timeout' || code === 'answer_too_large' ? strings.problems[code] : strings.interrupted;
  }

  readonly #askAgain = (): void => {
    const { conversation, send } = this.#live.chat;
    const { messages } = conversation.store.state;
    const place = messages.findIndex(({ key }) => key === this.message?.key);
    const question = messages.slice(0, place).findLast(({ role }) => role === 'user');
    if (question?.role === 'user') send(question.text);
  };
}

export const messageStyles = css`
  workspace-chat-message {
    display: block;
  }

  .message {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: 0.25em;
    max-inline-size: 88%;
  }

  .message.agent:has(.blocks) {
    max-inline-size: 100%;
  }

  .message.visitor {
    align-items: flex-end;
    margin-inline-start: auto;
  }

  .bubble {
    max-inline-size: 100%;
    padding: 0.6em 0.9em;
    border-radius: var(--_bubble-radius);
    border-end-start-radius: 0.3em;
    background: var(--_agent-bubble);
    color: var(--_on-agent-bubble);
  }

  .bubble[hidden] {
    display: none;
  }

  .visitor .bubble {
    border-radius: var(--_bubble-radius);
    border-end-end-radius: 0.3em;
    background: var(--_visitor-bubble);
    color: var(--_on-visitor-bubble);
    white-space: pre-wrap;
    text-align: start;
  }

  .author {
    font-size: 0.8125em;
    font-weight: 600;
    color: var(--_success);
  }

  .meta {
    margin: 0;
    padding-inline: 0.25em;
    font-size: 0.75em;
    line-height: 1.5;
    color: var(--_muted);
  }

  .visitor .meta {
    text-align: end;
  }

  .meta strong {
    font-weight: 600;
    color: var(--_danger);
  }

  .actions {
    display: inline-flex;
    gap: 0.5em;
  }

  .text-button:disabled {
    color: var(--_muted);
    cursor: default;
    text-decoration: none;
  }

  .notice {
    display: flex;
    align-items: center;
    gap: 0.75em;
    margin: 0.25em 0;
    font-size: 0.8125em;
    color: var(--_muted);
    text-align: center;
  }

  .notice::before,
  .notice::after {
    content: '';
    flex: 1 1 1em;
    block-size: 1px;
    background: var(--_border);
  }

  .thinking {
    display: flex;
    gap: 0.3em;
    padding-block: 0.95em;
  }

  .thinking i {
    inline-size: 0.45em;
    block-size: 0.45em;
    border-radius: 50%;
    background: var(--_muted);
    animation: thinking 1.2s infinite;
  }

  .thinking i:nth-of-type(2) {
    animation-delay: 0.15s;
  }

  .thinking i:nth-of-type(3) {
    animation-delay: 0.3s;
  }

  @keyframes thinking {
    0%,
    60%,
    100% {
      opacity: 0.35;
    }

    30% {
      opacity: 1;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    .thinking i {
      animation: none;
    }
  }

  @media (forced-colors: active) {
    .bubble {
      border: 1px solid CanvasText;
    }
  }
`;
