type Listener<State, Event> = (state: State, event: Event, previous: State) => void;

/** Holds one immutable state, changes it by events through a pure reducer, and tells its subscribers. */
export class Store<State, Event> {
  #state: State;
  readonly #reduce: (state: State, event: Event) => State;
  readonly #isFrequent: (event: Event) => boolean;
  readonly #listeners = new Set<Listener<State, Event>>();
  readonly #eager = new Set<Listener<State, Event>>();

  /** @param isFrequent Names the events that come so often that only those hear of them who ask to. */
  constructor(
    state: State,
    reduce: (state: State, event: Event) => State,
    isFrequent: (event: Event) => boolean = () => false,
  ) {
    this.#state = state;
    this.#reduce = reduce;
    this.#isFrequent = isFrequent;
  }

  get state(): State {
    return this.#state;
  }

  /** Applies the event. An event that changes nothing tells nobody. */
  dispatch(event: Event): void {
    const previous = this.#state;
    const state = this.#reduce(previous, event);
    if (state === previous) return;
    this.#state = state;
    for (const listener of this.#eager) listener(state, event, previous);
    if (this.#isFrequent(event)) return;
    for (const listener of this.#listeners) listener(state, event, previous);
  }

  /**
   * Calls `listener` after each change, until the answer is called.
   * @param isEager After the frequent ones too.
   */
  subscribe(listener: Listener<State, Event>, isEager = false): () => void {
    const listeners = isEager ? this.#eager : this.#listeners;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
}
