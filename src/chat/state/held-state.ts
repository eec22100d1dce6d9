/** Keeps the conversation that is locked, until its owner is proven or it is erased. */
import type { ChatEvent, Kept } from './chat-event.ts';
import { reduce, withoutKept } from './reduce.ts';
import type { ConversationState } from './state.ts';
import type { Store } from './store.ts';

export class HeldState {
  readonly #store: Store<ConversationState, ChatEvent>;
  #held: ConversationState | null = null;

  constructor(store: Store<ConversationState, ChatEvent>) {
    this.#store = store;
  }

  /** The conversation that is locked, or else the one in the store. */
  get current(): ConversationState {
    return this.#held ?? this.#store.state;
  }

  /** Applies an event to the conversation that is locked, or else to the one in the store. */
  dispatch(event: ChatEvent): void {
    if (!this.dispatchHeld(event)) this.#store.dispatch(event);
  }

  /** Applies an event to the conversation that is locked. Returns false when there is none. */
  dispatchHeld(event: ChatEvent): boolean {
    this.#held &&= reduce(this.#held, event);
    return this.#held !== null;
  }

  /**
   * Hides the conversation. Returns whether it was shown before.
   * @param kept What the visitor keeps, because it is not part of that conversation.
   */
  lock(kept: Kept): boolean {
    const { state } = this.#store;
    if (state.status === 'locked') return false;
    const event: ChatEvent = { type: 'locked', kept };
    const isShown = kept !== 'newcomer';
    this.#held = isShown ? withoutKept(state, reduce(state, event)) : null;
    this.#store.dispatch(event);
    return isShown;
  }

  /** Shows the conversation again. Returns false when none is locked. */
  unlock(): boolean {
    if (this.#store.state.status !== 'locked') return false;
    const held = this.#held;
    this.#held = null;
    this.#store.dispatch({ type: 'unlocked', held });
    return true;
  }

  /** Drops the conversation: it has been erased. */
  clear(): void {
    this.#held = null;
  }
}
