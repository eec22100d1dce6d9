/** The live region: announces each completed reply, each notice and each problem to screen readers, once. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { AgentMessage, ChatMessage, ConversationState } from '../chat/state/state.ts';
import type { StoreController } from '../controllers/store-controller.ts';
import { plainText } from '../markdown/index.ts';
import { loadProblems } from './problem-loader.ts';

/** Returns the message that a change of the state has added, or null. */
const addedMessage = ({ messages }: ConversationState, previous: ConversationState): ChatMessage | null => {
  const last = messages.at(-1);
  const isAdded = last && messages !== previous.messages && previous.messages.every(({ key }) => key !== last.key);
  return isAdded ? last : null;
};

/** Updates its host with the text of the live region. */
export class LiveRegionController implements ReactiveController {
  text = '';
  readonly #host: ReactiveControllerHost;
  readonly #store: Pick<StoreController<object>, 'chat' | 'strings'>;
  #unsubscribe = () => {};

  /** @param store A controller of the same host, which has found the context. */
  constructor(host: ReactiveControllerHost, store: Pick<StoreController<object>, 'chat' | 'strings'>) {
    this.#host = host;
    this.#store = store;
    host.addController(this);
  }

  hostConnected(): void {
    const { conversation } = this.#store.chat;
    this.#unsubscribe = conversation.store.subscribe((state, event, previous) => {
      if (event.type === 'restored') return;
      const added = addedMessage(state, previous);
      // The conversation is erased, locked or suspended, so its last announcement must not stay in the document.
      if (state.status !== 'ready' || event.type === 'cleared') this.#announce('');
      else if (added?.role === 'assistant') this.#announceReply(added);
      if (event.type === 'turn-failed' || added?.role === 'notice') void this.#announceLater(state, added);
    });
  }

  hostDisconnected(): void {
    this.#unsubscribe();
  }

  /** Replaces the text. While nobody sees the conversation, it is only emptied. */
  #announce(text: string): void {
    if (text && !this.#store.chat.conversation.isVisible) return;
    this.text = text;
    this.#host.requestUpdate();
  }

  #announceReply({ actor, text }: AgentMessage): void {
    const { strings } = this.#store;
    this.#announce(
      `${actor === 'owner' ? strings.person : strings.assistant}: ${plainText(text) || strings.newMessages}`,
    );
  }

  /** Announces a notice or a problem when the code that describes it is loaded. */
  async #announceLater(state: ConversationState, added: ChatMessage | null): Promise<void> {
    const { announcementFor } = await loadProblems();
    const { conversation, view } = this.#store.chat;
    const text = announcementFor(state, added, conversation.store.state, view.state);
    if (text) this.#announce(text);
  }
}
