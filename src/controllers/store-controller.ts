/** Binds an element to a slice of the conversation's state, which it finds through the context. */
import { ContextConsumer } from '@lit/context';
import type { LitElement, ReactiveController } from 'lit';
import type { ConversationState } from '../chat/state/state.ts';
import { chatContext, type ChatContext, type ViewState } from './chat-context.ts';

type Select<Slice> = (state: ConversationState, view: ViewState) => Slice;

/** Whether two objects have the same fields. */
export const isShallowEqual = <Slice extends object>(one: Slice | undefined, other: Slice): boolean =>
  one !== undefined && (Object.keys(other) as (keyof Slice)[]).every((key) => Object.is(one[key], other[key]));

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
  readonly #consumer: ContextConsumer<typeof chatContext, LitElement>;
  #unsubscribe = () => {};
  #slice: Slice | undefined;

  constructor(host: LitElement, select: Select<Slice>) {
    this.#host = host;
    this.#select = select;
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

  /** Read when the host renders: an element that is upgraded when it is already connected gets its properties only then. */
  get slice(): Slice {
    return (this.#slice ??= this.#read());
  }

  hostDisconnected(): void {
    this.#unsubscribe();
  }

  #connect({ conversation, view }: ChatContext): void {
    this.#unsubscribe();
    const unsubscribeFromView = view.subscribe(() => this.#refresh());
    const unsubscribe = conversation.store.subscribe(() => this.#update());
    this.#unsubscribe = () => {
      unsubscribeFromView();
      unsubscribe();
    };
    this.#refresh();
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
    const { conversation, view } = this.chat;
    return this.#select(conversation.store.state, view.state);
  }
}
