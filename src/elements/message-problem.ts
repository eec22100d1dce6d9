/** What went wrong with a message, and what the visitor can do: for a message that was not delivered, and a reply that was cut. */
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { isBusy, type AgentMessage, type VisitorMessage } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { problemStringsFor, problemText } from '../locale/problem-text.ts';
import { adoptStyles } from '../styles/adopt-styles.ts';

const problemStyles = css`
  workspace-chat-problem {
    display: contents;
  }

  .text-button:disabled {
    color: var(--_muted);
    cursor: default;
    text-decoration: none;
  }
`;

export class MessageProblemElement extends LitElement {
  static override properties = { message: { attribute: false } };

  declare message: VisitorMessage | AgentMessage;
  readonly #store = new StoreController(this, (state) => ({
    problem: state.turn.status === 'failed' ? state.turn.problem : null,
    /** The key of the message whose turn has failed. */
    failedKey: state.turn.status === 'failed' ? state.turn.messageKey : null,
    isBusy: isBusy(state),
    isOtherTabBusy: state.isOtherTabBusy,
  }));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(this, problemStyles);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { message } = this;
    if (message.role === 'user') return this.#renderUndelivered(message);
    return this.#store.slice.isOtherTabBusy ? nothing : this.#renderCut(message);
  }

  #renderUndelivered({ key, delivery }: VisitorMessage): TemplateResult {
    const { strings, chat } = this.#store;
    const { problem, failedKey } = this.#store.slice;
    const own = problemStringsFor(chat.view.state);
    const { conversation } = chat;
    return html`
      <strong>${delivery === 'unconfirmed' ? strings.notConfirmed : strings.notSent}</strong>
      ${problem && failedKey === key ? html`<span dir="auto">${problemText(problem, own)}</span>` : nothing}
      <span class="actions">
        ${this.#renderButton(own.sendAgain, () => void conversation.sendAgain(key))}
        ${this.#renderButton(own.edit, () => conversation.edit(key))}
      </span>
    `;
  }

  #renderCut(message: AgentMessage): TemplateResult {
    const { askAgain } = problemStringsFor(this.#store.chat.view.state);
    return html`<strong>${this.#cutReason(message)}</strong> ${this.#renderButton(askAgain, this.#askAgain)}`;
  }

  #renderButton(label: string, onClick: () => void): TemplateResult {
    const { isBusy } = this.#store.slice;
    return html`<button class="text-button" ?disabled=${isBusy} @click=${onClick}>${label}</button>`;
  }

  /** Returns the reason for an interruption. Some problems have a more exact sentence than the others. */
  #cutReason({ key }: AgentMessage): string {
    const { strings, chat } = this.#store;
    const isLast = chat.conversation.store.state.messages.findLast(({ role }) => role === 'assistant')?.key === key;
    const code = isLast ? this.#store.slice.problem?.code : null;
    const { problems } = problemStringsFor(chat.view.state);
    return code === 'timeout' || code === 'response_too_large' ? problems[code] : strings.interrupted;
  }

  readonly #askAgain = (): void => {
    const { conversation } = this.#store.chat;
    const { messages } = conversation.store.state;
    const place = messages.findIndex(({ key }) => key === this.message.key);
    const question = messages.slice(0, place).findLast(({ role }) => role === 'user');
    if (question?.role === 'user') void conversation.send(question.text);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-problem': MessageProblemElement;
  }
}
