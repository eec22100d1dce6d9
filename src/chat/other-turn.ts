/** Follows the turn of another tab, so that a tab that has crashed does not count as busy for ever. */
import type { Clock } from '../api/clock.ts';
import type { ChatEvent } from './state/chat-event.ts';
import type { ConversationState } from './state/state.ts';
import type { Store } from './state/store.ts';

export interface OtherTurnOptions {
  store: Store<ConversationState, ChatEvent>;
  clock: Clock;
  /** Called when the turn has ended. The record may have changed. */
  onEnded(): void;
}

/** Milliseconds without news of another tab's turn after which the turn counts as ended: that tab may have crashed. */
const turnTimeout = 12_000;

export class OtherTurn {
  readonly #options: OtherTurnOptions;
  #cancelTimer = () => {};

  constructor(options: OtherTurnOptions) {
    this.#options = options;
  }

  /** Another tab is running a turn. */
  follow(): void {
    const { store, clock } = this.#options;
    this.#cancelTimer();
    store.dispatch({ type: 'other-tab-changed', isOtherTabBusy: true });
    this.#cancelTimer = clock.after(turnTimeout, () => this.end());
  }

  /** The turn has ended. */
  end(): void {
    const { store, onEnded } = this.#options;
    this.#cancelTimer();
    store.dispatch({ type: 'other-tab-changed', isOtherTabBusy: false });
    onEnded();
  }

  dispose(): void {
    this.#cancelTimer();
  }
}
