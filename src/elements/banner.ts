/** The banner: one line above the composer that explains a wait, a limitation, or why the text cannot be sent. */
import { html, nothing, type TemplateResult } from 'lit';
import { liveReply, type ConversationState } from '../chat/state/state.ts';
import { countCharacters } from '../../contract/characters.ts';
import { maxMessageLength } from '../../contract/limits.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { countedText } from '../locale/counted-text.ts';
import { waitText } from '../locale/problem-text.ts';
import { PrivateElement } from './private-element.ts';

/** Milliseconds without any content of the reply after which the banner says that it is still being worked on. */
const silenceLimit = 6_000;

/** Whether the message has been sent, and nothing of the reply has arrived. */
const isSilent = (state: ConversationState): boolean => {
  const reply = liveReply(state);
  return reply ? !reply.text && reply.blocks.length + reply.tools.length === 0 : state.turn.status === 'sending';
};

/** Returns the number of characters that the draft is too long, or 0. */
const excessOf = ({ draft }: ConversationState): number =>
  draft.length > maxMessageLength ? Math.max(0, countCharacters(draft.trim()) - maxMessageLength) : 0;

export class BannerElement extends PrivateElement {
  readonly #store = new StoreController(this, (state) => ({
    wait: state.turn.status === 'waiting' ? state.turn : null,
    isOtherTabBusy: state.isOtherTabBusy,
    isSilent: isSilent(state),
    isUnsaved: state.isMemoryOnly && state.messages.length > 0,
    excess: excessOf(state),
  }));
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the silence began, on the monotonic clock, or null while there is none. */
  #silentSince: number | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  protected override render(): TemplateResult | typeof nothing {
    const text = this.#text();
    // The composer's field refers to this id while its text is too long.
    const tone = this.#store.slice.excess > 0 ? 'problem' : '';
    return text ? html`<p id="banner" class="banner ${tone}" part="banner" .textContent=${text}></p>` : nothing;
  }

  #text(): string {
    const view = this.#store.chat.view.state;
    const { strings } = view;
    const { wait, isOtherTabBusy, isUnsaved, excess } = this.#store.slice;
    clearTimeout(this.#timer);
    if (excess > 0) {
      const { pluralRule, languageTag } = view;
      return countedText(strings.tooLong, pluralRule, excess, languageTag, excess.toLocaleString(languageTag));
    }
    const silence = this.#silence();
    if (wait) {
      if (wait.until !== null) this.#updateAfter(1000);
      return waitText(wait, view);
    }
    if (isOtherTabBusy) return strings.replyingInOtherTab;
    if (silence >= silenceLimit) return strings.stillWorking;
    if (silence >= 0) this.#updateAfter(silenceLimit - silence);
    return isUnsaved ? strings.memoryOnly : '';
  }

  #updateAfter(delay: number): void {
    this.#timer = setTimeout(() => this.requestUpdate(), delay);
  }

  /** Returns the milliseconds of silence, or -1 without any. */
  #silence(): number {
    const now = performance.now();
    this.#silentSince = this.#store.slice.isSilent ? (this.#silentSince ?? now) : null;
    return this.#silentSince === null ? -1 : now - this.#silentSince;
  }
}
