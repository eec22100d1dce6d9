/** Calls a listener for each event of the conversation that the context provides, while the host is connected. */
import { ContextConsumer } from '@lit/context';
import type { LitElement, ReactiveController } from 'lit';
import type { ChatEvent } from '../chat/state/chat-event.ts';
import type { ConversationState } from '../chat/state/state.ts';
import { chatContext, type ChatContext } from './chat-context.ts';

export type ConversationListener = (state: ConversationState, event: ChatEvent, previous: ConversationState) => void;

export class EventController implements ReactiveController {
  readonly #consumer: ContextConsumer<typeof chatContext, LitElement>;
  readonly #listener: ConversationListener;
  #unsubscribe = () => {};

  constructor(host: LitElement, listener: ConversationListener) {
    this.#listener = listener;
    host.addController(this);
    this.#consumer = new ContextConsumer(host, {
      context: chatContext,
      subscribe: true,
      callback: (chat) => this.#follow(chat),
    });
  }

  /** The context. Available once the host is connected. */
  get chat(): ChatContext {
    return this.#consumer.value!;
  }

  hostDisconnected(): void {
    this.#unsubscribe();
  }

  #follow({ conversation }: ChatContext): void {
    this.#unsubscribe();
    this.#unsubscribe = conversation.store.subscribe(this.#listener);
  }
}
