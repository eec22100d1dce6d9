/** Holds one immutable state, changes it by events through a pure reducer, and notifies its subscribers. */
type Listener<State, Event> = (state: State, event: Event, previous: State) => void;

export class Store<State, Event> {
  #state: State;
  readonly #reduce: (state: State, event: Event) => State;
  readonly #listeners = new Set<Listener<State, Event>>();

  constructor(state: State, reduce: (state: State, event: Event) => State) {
    this.#state = state;
    this.#reduce = reduce;
  }

  get state(): State {
    return this.#state;
  }

  /** Applies the event. Subscribers are notified only if the state changed. */
  dispatch(event: Event): void {
    const previous = this.#state;
    const state = this.#reduce(previous, event);
    if (state === previous) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state, event, previous);
  }

  /**
   * Calls `listener` after each change. It needs no `this`.
   * @param options.signal Removes the listener when it aborts.
   * @returns An unsubscribe function.
   */
  readonly subscribe = (listener: Listener<State, Event>, { signal }: { signal?: AbortSignal } = {}): (() => void) => {
    const unsubscribe = () => void this.#listeners.delete(listener);
    this.#listeners.add(listener);
    signal?.addEventListener('abort', unsubscribe, { once: true });
    return unsubscribe;
  };
}
