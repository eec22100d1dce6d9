/** Keeps the conversation that is locked, until its owner is proven or it is erased. */
import type { ChatEvent } from './chat-event.ts';
import { reduce } from './reduce.ts';
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
   * @param isNewcomer Whether the state is of another visitor, because the record was read later. It stays.
   */
  lock(isNewcomer = false): boolean {
    const { state } = this.#store;
    if (state.status === 'locked') return false;
    this.#held = state.status === 'loading' || isNewcomer ? null : state;
    this.#store.dispatch({ type: 'locked', isNewcomer });
    return this.#held !== null;
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
