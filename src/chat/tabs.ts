/** Lets the tabs of a browser share one conversation: one turn at a time, and news of it to the others. */
import type { Clock } from '../api/clock.ts';

/**
 * `saved`: the record changed; `cleared`: it was deleted; `logged-out`: the visitor is nobody now;
 * `busy`: a turn has begun or goes on; `free`: it has ended.
 */
export type TabNews = 'saved' | 'cleared' | 'logged-out' | 'busy' | 'free';

export interface Tabs {
  /**
   * Runs `turn` while no other tab runs one. `onWaiting` is called when another one does.
   * @throws The signal's reason when it aborts while waiting; `AbortError` when the place was taken away.
   */
  exclusive<Value>(turn: () => Promise<Value>, signal: AbortSignal, onWaiting: () => void): Promise<Value>;
  /** Whether another tab is in the middle of a turn. */
  isBusy(): Promise<boolean>;
  tell(news: TabNews): void;
  close(): void;
}

/** A holder of the lock that has not been heard of for so long is frozen or dead. Milliseconds. */
const deadAfter = 30_000;
const heartbeat = 5_000;

export class BrowserTabs implements Tabs {
  readonly #name: string;
  readonly #clock: Clock;
  /** Null where there is none, and once it is closed. */
  #channel: BroadcastChannel | null;
  readonly #locks: LockManager | undefined;
  #heardAt: number;

  /** @param onNews Told what the other tabs, and other elements of this page, tell. */
  constructor(key: string, clock: Clock, onNews: (news: TabNews) => void) {
    this.#name = `workspace-chat ${key}`;
    this.#clock = clock;
    this.#heardAt = clock.now();
    this.#locks = globalThis.navigator?.locks;
    this.#channel = openChannel(this.#name);
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<TabNews>) => {
      this.#heardAt = clock.now();
      onNews(data);
    });
  }

  async exclusive<Value>(turn: () => Promise<Value>, signal: AbortSignal, onWaiting: () => void): Promise<Value> {
    const locks = this.#locks;
    if (!locks) return this.#announced(turn);
    let isAnswered = false;
    const free = await locks
      .request(this.#name, { ifAvailable: true }, async (lock) => {
        isAnswered = true;
        return lock ? { value: await this.#announced(turn) } : null;
      })
      .catch(async (error: unknown) => {
        if (isAnswered) throw error;
        // Refused in an opaque origin, where nothing is shared anyway.
        return { value: await this.#announced(turn) };
      });
    if (free) return free.value;
    onWaiting();
    this.#heardAt = this.#clock.now();
    // `steal` and `signal` exclude each other, so the wait ends by its own signal and the theft is a second request.
    const waiting = new AbortController();
    const end = () => waiting.abort(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    let isDead = false;
    let cancel = () => {};
    const look = () => {
      if (this.#clock.now() - this.#heardAt < deadAfter) cancel = this.#clock.after(heartbeat, look);
      else {
        isDead = true;
        waiting.abort();
      }
    };
    look();
    const granted = () => {
      cancel();
      return this.#announced(turn);
    };
    try {
      return await locks.request(this.#name, { signal: waiting.signal }, granted);
    } catch (error) {
      if (!isDead || signal.aborted) throw error;
      return await locks.request(this.#name, { steal: true }, granted);
    } finally {
      cancel();
      signal.removeEventListener('abort', end);
    }
  }

  async isBusy(): Promise<boolean> {
    const { held = [] } = (await this.#locks?.query().catch(() => null)) ?? {};
    return held.some(({ name }) => name === this.#name);
  }

  tell(news: TabNews): void {
    this.#channel?.postMessage(news);
  }

  close(): void {
    this.#channel?.close();
    this.#channel = null;
  }

  async #announced<Value>(turn: () => Promise<Value>): Promise<Value> {
    let cancel = () => {};
    const beat = () => {
      this.tell('busy');
      cancel = this.#clock.after(heartbeat, beat);
    };
    beat();
    try {
      return await turn();
    } finally {
      cancel();
      this.tell('free');
    }
  }
}

const openChannel = (name: string): BroadcastChannel | null => {
  try {
    return new BroadcastChannel(name);
  } catch {
    // Absent, or refused in an opaque origin: each tab is on its own.
    return null;
  }
};
