/** Keeps the conversation that is locked, until its owner is proven or it is erased. */
import type { ChatEvent, Kept } from './chat-event.ts';
import { reduce, withoutTurn } from './reduce.ts';
import type { ConversationState } from './state.ts';
import type { Store } from './store.ts';

export class HeldState {
  readonly #store: Store<ConversationState, ChatEvent>;
  #held: ConversationState | null = null;
  /** What the visitor has kept at the last lock. */
  #kept: Kept | null = null;

  constructor(store: Store<ConversationState, ChatEvent>) {
    this.#store = store;
  }

  /** The conversation that is locked, or else the one in the store. */
  get current(): ConversationState {
    return this.#held ?? this.#store.state;
  }

  /** Whether the conversation is locked because another tab has assigned it to its visitor: see `Kept`. */
  get isTaken(): boolean {
    return this.#store.state.status === 'locked' && this.#kept === 'turn';
  }

  /** Applies an event to the conversation that is locked, or else to the one in the store. */
  dispatch(event: ChatEvent): void {
    if (this.#held) this.#held = reduce(this.#held, event);
    else this.#store.dispatch(event);
  }

  /**
   * Hides the conversation, unless it is hidden.
   * @param kept What the visitor keeps.
   */
  lock(kept: Kept): void {
    const { state } = this.#store;
    if (state.status === 'locked') return;
    this.#held = { nothing: state, turn: withoutTurn(state), newcomer: null }[kept];
    this.#kept = kept;
    this.#store.dispatch({ type: 'locked', kept });
  }

  /** Shows the conversation again. */
  unlock(): void {
    const held = this.#held;
    this.#held = null;
    this.#store.dispatch({ type: 'unlocked', held });
  }

  /** Drops the conversation: it has been erased. */
  clear(): void {
    this.#held = null;
  }
}
