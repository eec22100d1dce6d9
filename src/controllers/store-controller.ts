/** Binds an element to a slice of the conversation's state, which it finds through the context. */
import { ContextConsumer } from '@lit/context';
import type { LitElement, ReactiveController } from 'lit';
import type { ConversationState } from '../chat/state/state.ts';
import { chatContext, type ChatContext, type ViewState } from './chat-context.ts';

type Select<Slice> = (state: ConversationState, view: ViewState) => Slice;

const isShallowEqual = <Slice extends object>(one: Slice | undefined, other: Slice): boolean =>
  one !== undefined && (Object.keys(other) as (keyof Slice)[]).every((key) => Object.is(one[key], other[key]));

export interface StoreControllerOptions {
  /** Whether the element follows the conversation. Checked after each update. An element that does not costs nothing. */
  isActive?: () => boolean;
}

/**
 * Updates its host when a field of the selected slice changes, or when the view's strings change.
 *
 * @example
 * ```ts
 * class BannerElement extends LitElement {
 *   readonly #store = new StoreController(this, ({ turn }) => ({ isWaiting: turn.status === 'waiting' }));
 *   render() {
 *     return this.#store.slice.isWaiting ? html`…` : nothing;
 *   }
 * }
 * ```
 */
export class StoreController<Slice extends object> implements ReactiveController {
  readonly #host: LitElement;
  readonly #select: Select<Slice>;
  readonly #isActive: () => boolean;
  readonly #consumer: ContextConsumer<typeof chatContext, LitElement>;
  #unsubscribeFromView = () => {};
  /** Null while the controller does not follow the conversation. */
  #unsubscribe: (() => void) | null = null;
  #slice: Slice | undefined;

  constructor(host: LitElement, select: Select<Slice>, { isActive = () => true }: StoreControllerOptions = {}) {
    this.#host = host;
    this.#select = select;
    this.#isActive = isActive;
    this.#consumer = new ContextConsumer(host, {
      context: chatContext,
      subscribe: true,
      callback: (chat) => this.#connect(chat),
    });
    host.addController(this);
  }

  /** The context. Available once the element is connected. */
  get chat(): ChatContext {
    return this.#consumer.value!;
  }

  get strings(): ViewState['strings'] {
    return this.chat.view.state.strings;
  }

  get slice(): Slice {
    return this.#slice!;
  }

  hostDisconnected(): void {
    this.#disconnect();
  }

  hostUpdated(): void {
    this.#follow();
  }

  #connect({ view }: ChatContext): void {
    this.#disconnect();
    this.#unsubscribeFromView = view.subscribe(() => this.#refresh());
    this.#refresh();
    this.#follow();
  }

  #disconnect(): void {
    this.#unsubscribeFromView();
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  /** Subscribes to the conversation, or unsubscribes from it, depending on whether the element is active. */
  #follow(): void {
    const isActive = this.#host.isConnected && this.#isActive();
    if (isActive === (this.#unsubscribe !== null)) return;
    this.#unsubscribe?.();
    this.#unsubscribe = isActive ? this.chat.conversation.store.subscribe(() => this.#update()) : null;
    if (isActive) this.#update();
  }

  #update(): void {
    const slice = this.#read();
    if (isShallowEqual(this.#slice, slice)) return;
    this.#slice = slice;
    this.#host.requestUpdate();
  }

  #refresh(): void {
    this.#slice = this.#read();
    this.#host.requestUpdate();
  }

  #read(): Slice {
    const { conversation, view } = this.chat;
    return this.#select(conversation.store.state, view.state);
  }
}
