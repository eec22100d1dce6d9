/** The live region: announces each completed reply, each notice and each problem to screen readers, once. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ConversationState } from '../chat/state/state.ts';
import type { StoreController } from '../controllers/store-controller.ts';
import type { PanelStrings } from '../locale/strings.ts';
import { plainText } from '../markdown/index.ts';
import { loadProblems } from './problem-loader.ts';

/** Returns the text to announce for a change of the state, or an empty string. */
const announcementFor = (state: ConversationState, previous: ConversationState, strings: PanelStrings): string => {
  const { messages } = state;
  const last = messages.at(-1);
  if (!last || messages === previous.messages || previous.messages.some(({ key }) => key === last.key)) return '';
  if (last.role === 'notice') return strings.notices[last.code];
  if (last.role === 'user') return '';
  return `${last.actor === 'owner' ? strings.person : strings.assistant}: ${plainText(last.text) || strings.newMessages}`;
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
      if (event.type === 'turn-failed') void this.#announceProblem(state);
      // The conversation is erased, locked or suspended, so its last announcement must not stay in the document.
      const isGone = state.status !== 'ready' || event.type === 'cleared';
      const text = isGone ? '' : announcementFor(state, previous, this.#store.strings);
      if (isGone || text) this.#announce(text);
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

  async #announceProblem({ turn }: ConversationState): Promise<void> {
    const problemText = await loadProblems();
    const { conversation, view } = this.#store.chat;
    // The visitor may have gone on while the code was loaded.
    if (turn.status !== 'failed' || turn !== conversation.store.state.turn) return;
    this.#announce(problemText(turn.problem, view.state));
  }
}
