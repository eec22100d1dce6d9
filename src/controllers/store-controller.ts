/** Binds an element to a part of the conversation's state, found through context. */
import type { LitElement, ReactiveController } from 'lit';
import type { ConversationState } from '../chat/state/state.ts';
import { chatAround, type ChatContext, type ChatStore, type ViewState } from './chat-context.ts';

type Read<Value> = (state: ConversationState, view: ViewState) => Value;

const isSame = (one: unknown, other: unknown): boolean =>
  Object.is(one, other) ||
  (Array.isArray(one) &&
    Array.isArray(other) &&
    one.length === other.length &&
    one.every((value, index) => Object.is(value, other[index])));

/** Updates the element when the selected part changes, and only then. */
export class StoreController<Value> implements ReactiveController {
  readonly #host: LitElement;
  readonly #read: Read<Value>;
  readonly #isEager: () => boolean;
  #chat: ChatStore | undefined;
  #leave = () => {};
  #unsubscribe = () => {};
  #value: Value | undefined;

  /**
   * @param read Selects the part: a value, or an array of values that are compared one by one.
   * @param isEager Asked at each connection: whether the part follows an answer's text as it comes.
   */
  constructor(host: LitElement, read: Read<Value>, isEager: () => boolean = () => false) {
    this.#host = host;
    this.#read = read;
    this.#isEager = isEager;
    host.addController(this);
  }

  /** The context; there once the element is connected below the widget. */
  get chat(): ChatContext {
    return this.#chat!.state;
  }

  get strings(): ViewState['strings'] {
    return this.chat.view.state.strings;
  }

  get value(): Value {
    return this.#value as Value;
  }

  hostConnected(): void {
    this.#chat = chatAround(this.#host);
    this.#leave = this.#chat.subscribe(() => this.#subscribe());
    this.#subscribe();
  }

  hostDisconnected(): void {
    this.#leave();
    this.#unsubscribe();
  }

  #subscribe(): void {
    this.#unsubscribe();
    const { conversation, view } = this.chat;
    const look = () => {
      const value = this.#read(conversation.store.state, view.state);
      if (isSame(value, this.#value)) return;
      this.#value = value;
      this.#host.requestUpdate();
    };
    // The sentences are part of every element's rendering.
    const translate = () => {
      this.#value = this.#read(conversation.store.state, view.state);
      this.#host.requestUpdate();
    };
    const unsubscribes = [conversation.store.subscribe(look, this.#isEager()), view.subscribe(translate)];
    this.#unsubscribe = () => unsubscribes.forEach((unsubscribe) => unsubscribe());
    translate();
  }
}
