/** The live region: announces each completed reply, each notice and each problem to screen readers, once. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { ConversationState } from '../chat/state/state.ts';
import type { StoreController } from '../controllers/store-controller.ts';
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
      // The conversation is erased, locked or suspended, so its last announcement must not stay in the document.
      const isGone = state.status !== 'ready' || event.type === 'cleared';
      const text = isGone ? '' : announcementFor(state, previous, this.#store.strings);
      if (!isGone && (!text || !conversation.isVisible)) return;
      this.text = text;
      this.#host.requestUpdate();
    });
  }

  hostDisconnected(): void {
    this.#unsubscribe();
  }
}
