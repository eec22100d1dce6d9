/** Binds an element to the chat that the panel provides, and to a slice of the conversation's state. */
import { ContextConsumer } from '@lit/context';
import type { LitElement, ReactiveController } from 'lit';
import type { ChatEvent } from '../chat/state/chat-event.ts';
import type { ConversationState } from '../chat/state/state.ts';
import { chatContext, type ChatContext, type ViewState } from './chat-context.ts';

type Select<Slice> = (state: ConversationState, view: ViewState) => Slice;

export type ConversationListener = (state: ConversationState, event: ChatEvent, previous: ConversationState) => void;

/** Whether two objects have the same fields. */
const isShallowEqual = <Slice extends object>(one: Slice | undefined, other: Slice): boolean =>
  one !== undefined && (Object.keys(other) as (keyof Slice)[]).every((key) => Object.is(one[key], other[key]));

/**
 * Updates its host when a field of the selected slice changes, or when the view's strings change.
 *
 * @example
 * ```ts
 * class BannerElement extends PrivateElement {
 *   readonly #store = new StoreController(this, ({ turn }) => ({ isWaiting: turn.status === 'waiting' }));
 *   render() {
 *     return this.#store.slice.isWaiting ? html`…` : nothing;
 *   }
 * }
 * ```
 */
export class StoreController<Slice extends object = object> implements ReactiveController {
  readonly #host: LitElement;
  readonly #select: Select<Slice>;
  readonly #onEvent: ConversationListener;
  readonly #consumer: ContextConsumer<typeof chatContext, LitElement>;
  #connected = new AbortController();
  #slice: Slice | undefined;

  /**
   * @param select Returns the part of the state that the host renders. Without it, the host needs only the view.
   * @param onEvent Called for each change of the conversation while the host is connected.
   */
  constructor(host: LitElement, select: Select<Slice> = () => ({}) as Slice, onEvent: ConversationListener = () => {}) {
    this.#host = host;
    this.#select = select;
    this.#onEvent = onEvent;
    this.#consumer = new ContextConsumer(host, { context: chatContext });
    host.addController(this);
  }

  /** The context. Available once the element is connected. */
  get chat(): ChatContext {
    return this.#consumer.value!;
  }

  get view(): ViewState {
    return this.chat.view.state;
  }

  get strings(): ViewState['strings'] {
    return this.view.strings;
  }

  /** Read when the host renders: an element that is upgraded when it is already connected gets its properties only then. */
  get slice(): Slice {
    return (this.#slice ??= this.#read());
  }

  /** The consumer, which the host has called before, has the context now. */
  hostConnected(): void {
    const { conversation, view } = this.chat;
    this.#connected = new AbortController();
    const { signal } = this.#connected;
    view.subscribe(() => this.#refresh(), { signal });
    conversation.store.subscribe(
      (...change) => {
        this.#update();
        this.#onEvent(...change);
      },
      { signal },
    );
    this.#refresh();
  }

  hostDisconnected(): void {
    this.#connected.abort();
  }

  #update(): void {
    // Before the host's first update there is none: the update reads it.
    if (!this.#slice) return;
    const slice = this.#read();
    if (isShallowEqual(this.#slice, slice)) return;
    this.#slice = slice;
    this.#host.requestUpdate();
  }

  #refresh(): void {
    this.#slice = undefined;
    this.#host.requestUpdate();
  }

  #read(): Slice {
    return this.#select(this.chat.conversation.store.state, this.view);
  }
}
