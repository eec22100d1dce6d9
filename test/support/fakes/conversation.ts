/** A conversation with fake dependencies, for unit tests. */
import type { ContactProof } from '../../../contract/wire.ts';
import { ApiClient } from '../../../src/api/client.ts';
import type { ConversationOptions } from '../../../src/chat/conversation-options.ts';
import { Conversation } from '../../../src/chat/conversation.ts';
import { ClientTools } from '../../../src/chat/tools/client-tools.ts';
import { ToolRegistry } from '../../../src/chat/tools/tool-registry.ts';
import type { Erasures, StoredErasures } from '../../../src/chat/storage/peek.ts';
import { noDrafts, type SavedDrafts, type TabDrafts } from '../../../src/chat/storage/tab-drafts.ts';
import { GuardedStorage, MemoryStorage, type ConversationStorage } from '../../../src/chat/storage/storage.ts';
import { decodeEntry, isRecord } from '../../../src/chat/storage/record.ts';
import type { TabNews, Tabs } from '../../../src/chat/tabs.ts';
import { FakeClock, settle } from './fake-clock.ts';
import { fakeService, type FakeResponse } from './fake-service.ts';

/** The identity of a customer with this name, as the page proves it. */
export const person = (name: string): ContactProof => ({ user_id: name, user_hash: `hash-of-${name}` });

/** The page's contact function, with a promise that the test resolves. */
export const slowProof = () => {
  let prove = (_proof: ContactProof | null) => {};
  const proven = new Promise<ContactProof | null>((resolve) => {
    prove = resolve;
  });
  return { contact: () => proven, prove };
};

/** The lock and the channel that the tabs of one browser share. */
export class FakeBrowser {
  readonly #listeners = new Map<symbol, (news: TabNews) => void>();
  #last: Promise<unknown> = Promise.resolve();
  #holder: symbol | null = null;

  open(onNews: (news: TabNews) => void): Tabs {
    const self = Symbol('tab');
    this.#listeners.set(self, onNews);
    return {
      runExclusive: async (turn, signal, onWaiting) => {
        if (this.#holder) onWaiting();
        const before = this.#last;
        let release = () => {};
        this.#last = new Promise<void>((resolve) => {
          release = resolve;
        });
        try {
          await before;
          signal.throwIfAborted();
          this.#holder = self;
          return await turn();
        } finally {
          this.#holder = null;
          release();
        }
      },
      isBusy: async () => this.#holder !== null,
      post: (news) => {
        for (const [tab, listener] of this.#listeners) if (tab !== self) listener(news);
      },
      close: () => void this.#listeners.delete(self),
    };
  }
}

export interface World {
  clock: FakeClock;
  storage: ConversationStorage;
  erasures: Erasures;
  browser: FakeBrowser;
  isOnline: boolean;
  goOnline: () => void;
}

/** The localStorage that tabs share, or what a tab keeps in memory where it is blocked. */
export const createErasures = (): Erasures => {
  const stored = new Map<string, StoredErasures>();
  return {
    get: (key) => stored.get(key) ?? { count: 0, note: null },
    set: (key, erasures) => void stored.set(key, erasures),
  };
};

/** The sessionStorage of one tab. */
export const createDrafts = (): TabDrafts => {
  let saved: SavedDrafts | null = null;
  return {
    read: () => structuredClone(saved),
    write: (value) => {
      saved = value;
      return true;
    },
    clear: () => {
      saved = null;
    },
    close: () => {},
  };
};

export const createWorld = (): World => {
  const world: World = {
    clock: new FakeClock(),
    storage: new MemoryStorage(),
    erasures: createErasures(),
    browser: new FakeBrowser(),
    isOnline: true,
    goOnline: () => {},
  };
  return world;
};

let count = 0;

/** Opens the conversation in another tab. */
export const openTab = (world: World, responses: FakeResponse[] = [], options: Partial<ConversationOptions> = {}) => {
  const service = fakeService(...responses);
  const { clock, storage } = world;
  const client = new ApiClient({
    baseUrl: 'https://api.example/api/v2',
    publishableKey: 'svc_pk_test',
    agentId: 'agt_1',
    fetch: service.fetch,
    clock,
    locale: () => 'en',
  });
  const conversation = new Conversation({
    key: 'key',
    client,
    storage: new GuardedStorage(storage, clock, () => {}),
    erasures: world.erasures,
    drafts: noDrafts,
    openTabs: (onNews) => world.browser.open(onNews),
    connectivity: {
      isOnline: () => world.isOnline,
      whenOnline: (signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          world.goOnline = () => {
            world.isOnline = true;
            resolve();
          };
        }),
    },
    clock,
    createId: () => `id-${++count}`,
    random: () => 0.5,
    locale: () => 'en',
    tools: new ClientTools(new ToolRegistry(() => {})),
    streaming: () => 'auto',
    ...options,
  });
  return { conversation, service, store: conversation.store };
};

/** Opens a tab that is ready for its first message. */
export const tabWith = async (world: World, ...responses: FakeResponse[]) => {
  const tab = openTab(world, responses);
  await tab.conversation.start();
  return tab;
};

/** Gives everything in progress its time. */
export const finish = async ({ clock }: World, seconds = 5): Promise<void> => {
  for (let count = 0; count < seconds; count++) {
    await clock.advance(1_000);
    await settle();
  }
};

/** Holds back the news between the tabs until they are delivered, or for ever. Returns what delivers them. */
export const holdNews = ({ browser }: World): (() => void) => {
  const deliveries: (() => void)[] = [];
  const open = browser.open.bind(browser);
  browser.open = (onNews) => open((news) => void deliveries.push(() => onNews(news)));
  return () => {
    for (const deliver of deliveries.splice(0)) deliver();
  };
};

/** Returns the stored record, or null when there is none. */
export const storedRecord = async ({ storage, clock }: World) => {
  const entry = decodeEntry(await storage.load('key'), clock.now());
  return isRecord(entry) ? entry : null;
};

/** Describes the transcript, one line for each message: the author, the state and the text. */
export const transcript = ({ store }: Pick<Conversation, 'store'>): string[] =>
  store.state.messages.map((message) => {
    if (message.role === 'user') return `visitor ${message.delivery}: ${message.text}`;
    if (message.role === 'notice') return `notice: ${message.code}`;
    return `${message.actor} ${message.ending}: ${message.text}`;
  });
