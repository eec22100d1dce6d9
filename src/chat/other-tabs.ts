/** Handles the news of other tabs, and follows the turn of another tab. */
import type { Clock } from '../api/clock.ts';
import type { ChatEvent } from './state/chat-event.ts';
import type { ConversationState } from './state/state.ts';
import type { Store } from './state/store.ts';
import type { TabNews } from './tabs.ts';

export interface OtherTabsOptions {
  store: Store<ConversationState, ChatEvent>;
  clock: Clock;
  /** Called when another tab has changed the record. */
  onSaved(): void;
  /** Called when another tab has erased the record. */
  onErased(erasureCount: number): void;
  /** Called when the visitor has logged out in another tab. The number is null when there was nothing to erase. */
  onLoggedOut(erasureCount: number | null): void;
}

/** Milliseconds without news of another tab's turn after which the turn counts as ended: that tab may have crashed. */
const turnTimeout = 12_000;

export class OtherTabs {
  readonly #options: OtherTabsOptions;
  #cancelTimer = () => {};

  constructor(options: OtherTabsOptions) {
    this.#options = options;
  }

  handle(news: TabNews): void {
    const { onErased, onLoggedOut, onSaved } = this.#options;
    switch (news.type) {
      case 'busy':
        return this.onBusy();
      case 'free':
        return this.#onFree();
      case 'saved':
        return onSaved();
      case 'logged-out':
        return onLoggedOut(news.erasureCount);
      case 'erased':
        return onErased(news.erasureCount);
    }
  }

  /** Another tab is running a turn. */
  onBusy(): void {
    const { store, clock } = this.#options;
    this.#cancelTimer();
    store.dispatch({ type: 'other-tab-changed', isOtherTabBusy: true });
    this.#cancelTimer = clock.after(turnTimeout, () => this.#onFree());
  }

  dispose(): void {
    this.#cancelTimer();
  }

  #onFree(): void {
    this.#cancelTimer();
    this.#options.store.dispatch({ type: 'other-tab-changed', isOtherTabBusy: false });
    this.#options.onSaved();
  }
}
