/** The live region: announces each completed reply, each notice and each problem to screen readers, once. */
import { html, LitElement, type TemplateResult } from 'lit';
import type { ConversationState } from '../chat/state/state.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { problemText } from '../locale/problem-text.ts';
import type { Strings } from '../locale/strings.ts';
import { plainText } from '../markdown/index.ts';

/** Returns the text to announce for a change of the state, or an empty string. */
const announcementFor = (state: ConversationState, previous: ConversationState, strings: Strings): string => {
  const { turn, messages } = state;
  if (turn.status === 'failed' && turn !== previous.turn) return problemText(turn.problem, strings);
  const last = messages.at(-1);
  if (!last || messages === previous.messages || previous.messages.some(({ key }) => key === last.key)) return '';
  if (last.role === 'notice') return strings.notices[last.code];
  if (last.role === 'user') return '';
  return `${last.actor === 'owner' ? strings.person : strings.assistant}: ${plainText(last.text) || strings.newMessages}`;
};

export class LiveRegionElement extends LitElement {
  static override properties = { text: { state: true } };

  declare text: string | undefined;
  readonly #store = new StoreController(this, () => ({}));
  #unsubscribe = () => {};

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const { conversation } = this.#store.chat;
    this.#unsubscribe = conversation.store.subscribe((state, event, previous) => {
      if (state.status !== 'ready' || event.type === 'restored') return;
      const text = announcementFor(state, previous, this.#store.strings);
      if (text && conversation.isVisible) this.text = text;
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unsubscribe();
  }

  protected override render(): TemplateResult {
    return html`<div class="visually-hidden" role="status">${this.text}</div>`;
  }
}
