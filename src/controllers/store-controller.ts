/** Binds an element to a part of the conversation's state, found through context. */
import { ContextConsumer } from '@lit/context';
import type { LitElement, ReactiveController } from 'lit';
import type { ConversationState } from '../chat/state.ts';
import { chatContext, type ChatContext, type ViewState } from '../context.ts';

type Read<Value> = (state: ConversationState, view: ViewState) => Value;

/** Updates the element when the selected part changes, and only then. */
export class StoreController<Value> implements ReactiveController {
  readonly #host: LitElement;
  readonly #read: Read<Value>;
  readonly #consumer: ContextConsumer<typeof chatContext, LitElement>;
  #unsubscribe = () => {};
  #value: Value | undefined;

  /** @param read Selects the part; a new object each time means an update each time. */
  constructor(host: LitElement, read: Read<Value>) {
    this.#host = host;
    this.#read = read;
    this.#consumer = new ContextConsumer(host, {
      context: chatContext,
      subscribe: true,
      callback: () => this.#subscribe(),
    });
    host.addController(this);
  }

  /** The context; there once the element is connected below the widget. */
  get chat(): ChatContext {
    return this.#consumer.value!;
  }

  get strings(): ViewState['strings'] {
    return this.chat.view.state.strings;
  }

  get value(): Value {
    return this.#value as Value;
  }

  hostConnected(): void {
    if (this.#consumer.value) this.#subscribe();
  }

  hostDisconnected(): void {
    this.#unsubscribe();
  }

  #subscribe(): void {
    this.#unsubscribe();
    const { conversation, view } = this.chat;
    const look = () => {
      const value = this.#read(conversation.store.state, view.state);
      if (Object.is(value, this.#value)) return;
      this.#value = value;
      this.#host.requestUpdate();
    };
    // The sentences are part of every element's rendering.
    const translate = () => {
      this.#value = this.#read(conversation.store.state, view.state);
      this.#host.requestUpdate();
    };
    const unsubscribes = [conversation.store.subscribe(look), view.subscribe(translate)];
    this.#unsubscribe = () => unsubscribes.forEach((unsubscribe) => unsubscribe());
    translate();
  }
}
