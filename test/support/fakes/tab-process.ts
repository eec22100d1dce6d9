/** A browser whose tabs can crash: a process that has ended runs nothing more, and its locks are free. */
import { ApiClient } from '../../../src/api/client.ts';
import type { Clock } from '../../../src/api/clock.ts';
import { Conversation } from '../../../src/chat/conversation.ts';
import type { Erasures } from '../../../src/chat/storage/peek.ts';
import { GuardedStorage, type ConversationStorage } from '../../../src/chat/storage/storage.ts';
import type { SavedDrafts } from '../../../src/chat/storage/tab-drafts.ts';
import type { TabNews, Tabs } from '../../../src/chat/tabs.ts';
import { ClientTools } from '../../../src/chat/tools/client-tools.ts';
import { ToolRegistry } from '../../../src/chat/tools/tool-registry.ts';
import type { FakeClock } from './fake-clock.ts';

const never = new Promise<never>(() => {});

export interface BrowserOptions {
  clock: FakeClock;
  storage: ConversationStorage;
  erasures: Erasures;
  hasLocks: boolean;
  /** Whether a message to another tab arrives. */
  isDelivered: () => boolean;
  fetch: typeof fetch;
}

export class CrashingBrowser {
  readonly options: BrowserOptions;
  readonly listeners = new Map<TabProcess, (news: TabNews) => void>();
  /** The process that holds the lock first, then those that wait for it. */
  readonly queue: { process: TabProcess; grant: () => void }[] = [];
  #ids = 0;

  constructor(options: BrowserOptions) {
    this.options = options;
  }

  createId = (): string => `id-${++this.#ids}`;

  post(sender: TabProcess, news: TabNews): void {
    for (const [process, listener] of this.listeners)
      if (process !== sender && this.options.isDelivered()) queueMicrotask(() => process.isAlive && listener(news));
  }

  release(process: TabProcess): void {
    const holder = this.queue[0];
    for (let index = this.queue.length - 1; index >= 0; index--)
      if (this.queue[index]!.process === process) this.queue.splice(index, 1);
    if (this.queue[0] !== holder) this.queue[0]?.grant();
  }
}

/** The sessionStorage of a tab, which outlives its processes. */
export interface TabSession {
  drafts: SavedDrafts | null;
}

export class TabProcess {
  isAlive = true;
  readonly session: TabSession;
  readonly conversation: Conversation;
  readonly #browser: CrashingBrowser;

  constructor(browser: CrashingBrowser, session: TabSession) {
    this.#browser = browser;
    this.session = session;
    const { options, createId } = browser;
    const clock = this.#clock();
    this.conversation = new Conversation({
      key: 'key',
      client: new ApiClient({
        baseUrl: 'https://api.example/api/v2',
        publishableKey: 'svc_pk_test',
        agentId: 'agt_1',
        fetch: (...call) => this.#whileAlive(options.fetch(...call)),
        clock,
        locale: () => 'en',
      }),
      storage: new GuardedStorage(this.#storage(), clock, () => {}),
      erasures: {
        get: (key) => options.erasures.get(key),
        set: (key, erasures) => this.isAlive && options.erasures.set(key, erasures),
      },
      drafts: {
        read: () => structuredClone(session.drafts),
        write: (value) => {
          if (this.isAlive) session.drafts = value;
          return this.isAlive;
        },
        clear: () => {
          if (this.isAlive) session.drafts = null;
        },
        close: () => {},
      },
      openTabs: (onNews) => this.#tabs(onNews),
      tools: new ClientTools(new ToolRegistry(() => {})),
      connectivity: { isOnline: () => true, whenOnline: () => never },
      clock,
      createId,
      random: () => 0.5,
      locale: () => 'en',
      streaming: () => 'auto',
    });
    void this.conversation.start();
  }

  /** Ends the process: nothing that it has begun is continued. */
  kill(): void {
    this.isAlive = false;
    this.#browser.listeners.delete(this);
    this.#browser.release(this);
  }

  #whileAlive<Value>(promise: Promise<Value>): Promise<Value> {
    return promise.then(
      (value) => (this.isAlive ? value : never),
      (error: unknown) => {
        if (this.isAlive) throw error;
        return never;
      },
    );
  }

  #clock(): Clock {
    const { clock } = this.#browser.options;
    return {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      after: (delay, callback) => clock.after(delay, () => this.isAlive && callback()),
    };
  }

  #storage(): ConversationStorage {
    const { storage } = this.#browser.options;
    return {
      load: (key) => this.#whileAlive(storage.load(key)),
      // The browser aborts the transactions of a page that has ended.
      update: (key, change) => this.#whileAlive(storage.update(key, (value) => (this.isAlive ? change(value) : value))),
      keys: () => this.#whileAlive(storage.keys()),
    };
  }

  #tabs(onNews: (news: TabNews) => void): Tabs {
    const browser = this.#browser;
    browser.listeners.set(this, onNews);
    return {
      runExclusive: async (turn, signal, onWaiting) => {
        if (!browser.options.hasLocks) return turn();
        if (!this.isAlive) return never;
        if (browser.queue.length > 0) onWaiting();
        await new Promise<void>((resolve, reject) => {
          browser.queue.push({ process: this, grant: resolve });
          if (browser.queue.length === 1) resolve();
          signal.addEventListener('abort', () => reject(signal.reason));
        }).catch((error: unknown) => {
          browser.release(this);
          throw error;
        });
        browser.post(this, { type: 'busy' });
        try {
          return await turn();
        } finally {
          browser.release(this);
          browser.post(this, { type: 'free' });
        }
      },
      isBusy: async () => browser.queue.length > 0,
      post: (news) => this.isAlive && browser.post(this, news),
      close: () => void browser.listeners.delete(this),
    };
  }
}
