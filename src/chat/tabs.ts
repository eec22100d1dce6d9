/** Lets the tabs of a browser share one conversation: one turn at a time, and messages about it to the other tabs. */
import { anySignal } from '../api/abort.ts';
import type { Clock } from '../api/clock.ts';

/**
 * `saved`: the record changed; `erased`: it was erased; `logged-out`: the visitor is anonymous now;
 * `busy`: a turn is running; `free`: it has ended.
 */
export type TabNews =
  | { readonly type: 'saved' | 'busy' | 'free' }
  /**
   * `successor` is the owner for whom it was erased, if it was for one. What is theirs stays, in the record and in each tab: where
   * nothing can be stored, each tab has a conversation of its own.
   */
  | { readonly type: 'erased'; readonly erasureCount: number; readonly successor: string | undefined }
  /** The number is null when there was nothing to erase. */
  | { readonly type: 'logged-out'; readonly erasureCount: number | null };

export interface Tabs {
  /**
   * Runs `turn` while no other tab runs one. Calls `onWaiting` when another tab does.
   * @throws The signal's reason when it aborts during the wait; an `AbortError` when another tab has stolen the lock.
   */
  runExclusive<Value>(turn: () => Promise<Value>, signal: AbortSignal, onWaiting: () => void): Promise<Value>;
  /** Whether another tab is running a turn. */
  isBusy(): Promise<boolean>;
  post(news: TabNews): void;
  close(): void;
}

const heartbeat = 5_000;
/**
 * So many heartbeats without a message, and the tab that holds the lock counts as frozen or crashed. They are counted, because
 * the device's clock may be changed, and any clock jumps when the device sleeps.
 */
const missedHeartbeats = 6;

export class BrowserTabs implements Tabs {
  readonly #name: string;
  readonly #clock: Clock;
  /** Null where the browser has none, and after close(). */
  #channel: BroadcastChannel | null;
  readonly #locks: LockManager | undefined;
  /** How many heartbeats a waiting tab has counted since the last message. */
  #missed = 0;

  /** @param onNews Called with the messages of other tabs, and of other elements of this page. */
  constructor(key: string, clock: Clock, onNews: (news: TabNews) => void) {
    this.#name = `workspace-chat ${key}`;
    this.#clock = clock;
    this.#locks = globalThis.navigator?.locks;
    this.#channel = openChannel(this.#name);
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<TabNews>) => {
      this.#missed = 0;
      onNews(data);
    });
  }

  async runExclusive<Value>(turn: () => Promise<Value>, signal: AbortSignal, onWaiting: () => void): Promise<Value> {
    const locks = this.#locks;
    if (!locks) return this.#runWithHeartbeat(turn);
    let isGranted = false;
    const free = await locks
      .request(this.#name, { ifAvailable: true }, async (lock) => {
        isGranted = true;
        return lock ? { value: await this.#runWithHeartbeat(turn) } : null;
      })
      .catch(async (error: unknown) => {
        if (isGranted) throw error;
        // Web Locks are unavailable in an opaque origin, where tabs share nothing anyway.
        return { value: await this.#runWithHeartbeat(turn) };
      });
    if (free) return free.value;
    onWaiting();
    this.#missed = 0;
    // `steal` and `signal` cannot be combined: wait with a signal, then steal with a second request.
    const holderDied = new AbortController();
    let cancel = () => {};
    const checkHolder = () => {
      if (this.#missed++ < missedHeartbeats) cancel = this.#clock.after(heartbeat, checkHolder);
      else holderDied.abort();
    };
    checkHolder();
    const run = () => {
      cancel();
      return this.#runWithHeartbeat(turn);
    };
    try {
      return await locks.request(this.#name, { signal: anySignal([signal, holderDied.signal]) }, run);
    } catch (error) {
      if (!holderDied.signal.aborted || signal.aborted) throw error;
      return await locks.request(this.#name, { steal: true }, run);
    } finally {
      cancel();
    }
  }

  async isBusy(): Promise<boolean> {
    const { held = [] } = (await this.#locks?.query().catch(() => null)) ?? {};
    return held.some(({ name }) => name === this.#name);
  }

  post(news: TabNews): void {
    this.#channel?.postMessage(news);
  }

  close(): void {
    this.#channel?.close();
    this.#channel = null;
  }

  async #runWithHeartbeat<Value>(turn: () => Promise<Value>): Promise<Value> {
    let cancel = () => {};
    const beat = () => {
      this.post({ type: 'busy' });
      cancel = this.#clock.after(heartbeat, beat);
    };
    beat();
    try {
      return await turn();
    } finally {
      cancel();
      this.post({ type: 'free' });
    }
  }
}

const openChannel = (name: string): BroadcastChannel | null => {
  try {
    return new BroadcastChannel(name);
  } catch {
    // BroadcastChannel is missing, or unavailable in an opaque origin.
    return null;
  }
};
