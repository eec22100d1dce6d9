/** Shows a notice, explains a message that was not delivered, and a reply that is not complete or not ordinary, and offers what can be done. */
import { html, nothing, type TemplateResult } from 'lit';
import { isBusy, type AgentMessage, type NoticeMessage, type VisitorMessage } from '../chat/state/state.ts';
import type { ChatContext } from '../controllers/chat-context.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { noticeText, problemText } from '../locale/problem-text.ts';
import { problemIcon } from './action-icons.ts';
import { PrivateElement } from './private-element.ts';

/** Sends the visitor's message again that a reply belongs to. */
export const askAgain = ({ conversation }: ChatContext, replyKey: string): void => {
  const { messages } = conversation.store.state;
  const place = messages.findIndex(({ key }) => key === replyKey);
  const question = messages.slice(0, place).findLast(({ role }) => role === 'user');
  if (question?.role === 'user') void conversation.send(question.text, question.label);
};

export class MessageProblemElement extends PrivateElement {
  static override properties = { message: { attribute: false } };

  declare message: VisitorMessage | AgentMessage | NoticeMessage;
  readonly #store = new StoreController(this, (state) => ({
    problem: state.turn.status === 'failed' ? state.turn.problem : null,
    isBusy: isBusy(state),
    isOtherTabBusy: state.isOtherTabBusy,
    lastKey: state.messages.at(-1)?.key,
  }));

  protected override render(): TemplateResult {
    const { message } = this;
    if (message.role === 'notice') return this.#renderNotice(message);
    return message.role === 'user' ? this.#renderUndelivered(message) : this.#renderReply(message);
  }

  #renderNotice(notice: NoticeMessage): TemplateResult {
    const { chat, slice } = this.#store;
    const { startAgain } = this.#store.strings;
    const isEnd = notice.code === 'closed' && notice.key === slice.lastKey;
    const restart = () => void chat.conversation.reset();
    return html`<span class="ending"
      >${noticeText(notice, chat.view.state)}
      ${isEnd ? this.#renderButton(startAgain, restart, 'button') : nothing}</span
    >`;
  }

  #renderUndelivered({ key, delivery, problem }: VisitorMessage): TemplateResult {
    const { strings, chat } = this.#store;
    const { conversation } = chat;
    const title = delivery === 'unconfirmed' ? strings.notConfirmed : strings.notSent;
    const reason = problem ? problemText(problem, chat.view.state) : '';
    return this.#renderCard(
      title,
      reason,
      html`${this.#renderButton(strings.sendAgain, () => void conversation.sendAgain(key), 'button')}
      ${this.#renderButton(strings.edit, () => conversation.edit(key))}`,
    );
  }

  /** Renders what went wrong, why, and what can be done. */
  #renderCard(title: string, reason: string, actions: TemplateResult): TemplateResult {
    return html`<span class="failure">
      ${problemIcon}
      <span><strong>${title}</strong> ${reason ? html`<span dir="auto">${reason}</span>` : nothing}</span>
      <span class="actions">${actions}</span>
    </span>`;
  }

  #renderReply(message: AgentMessage): TemplateResult {
    const { strings } = this.#store;
    const notes = [
      message.outcome === 'refused' || message.refused ? strings.refused : '',
      message.limit ? strings.limit : '',
      message.degraded ? strings.degraded : '',
      message.ending === 'stopped' ? strings.stopped : '',
    ].filter(Boolean);
    const isCut = message.ending === 'interrupted' && !this.#store.slice.isOtherTabBusy;
    return html`${notes.map((note) => html` · ${note}`)}
    ${
      isCut
        ? this.#renderCard(this.#cutReason(message), '', this.#renderButton(strings.askAgain, this.#askAgain, 'button'))
        : nothing
    }`;
  }

  #renderButton(label: string, onClick: () => void, kind: 'button' | 'text-button' = 'text-button'): TemplateResult {
    const { isBusy } = this.#store.slice;
    return html`<button class=${kind} ?disabled=${isBusy} @click=${onClick}>${label}</button>`;
  }

  /** Returns the reason for an interruption. Some problems have a more exact sentence than the others. */
  #cutReason({ key }: AgentMessage): string {
    const { strings, chat } = this.#store;
    const isLast = chat.conversation.store.state.messages.findLast(({ role }) => role === 'assistant')?.key === key;
    const code = isLast ? this.#store.slice.problem?.code : null;
    return code === 'timeout' || code === 'response_too_large' ? strings.problems[code] : strings.interrupted;
  }

  readonly #askAgain = (): void => askAgain(this.#store.chat, this.message.key);
}

declare global {
  interface HTMLElementTagNameMap {
    'workspace-chat-problem': MessageProblemElement;
  }
}
