/** Holds one immutable state, changes it by events through a pure reducer, and notifies its subscribers. */

/** Reports an exception like an uncaught one, or logs it where that is not possible. */
const reportException = (error: unknown): void => {
  if (typeof reportError === 'function') reportError(error);
  else console.error('workspace-chat:', error);
};

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
    for (const listener of this.#listeners) {
      try {
        listener(state, event, previous);
      } catch (error) {
        // The page's own code may run in a listener. The others, and the turn in progress, go on.
        reportException(error);
      }
    }
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
