/** A browser with stored conversations: its tabs, its storages, and a record of version 0.1.0. */
import { erasuresIn, type Erasures } from '../../../src/chat/storage/peek.ts';
import type { ConversationStorage } from '../../../src/chat/storage/storage.ts';
import { createDrafts, createWorld, FakeBrowser, openTab } from './conversation.ts';
import { settle } from './fake-clock.ts';
import { response, started, streamed, type FakeResponse } from './fake-service.ts';

/** A service that starts a conversation for each call without one. */
const reply: FakeResponse = (call) => streamed(call.body.conversation_id ? response() : started())(call);

type Options = Parameters<typeof openTab>[2];

/** A browser with its storages. Each row uses one of its own. */
export const createBrowser = () => {
  const world = createWorld();
  const opened: ReturnType<typeof openTab>[] = [];
  const open = (options: Options = {}, changes: Partial<typeof world> = {}) => {
    const tab = openTab({ ...world, ...changes }, Array<FakeResponse>(9).fill(reply), {
      drafts: createDrafts(),
      formerKey: 'former',
      ...options,
    });
    opened.push(tab);
    return tab;
  };
  const start = async (options: Options = {}, changes: Partial<typeof world> = {}) => {
    const tab = open(options, changes);
    await tab.conversation.start();
    return tab;
  };
  const close = async (tab: ReturnType<typeof openTab>) => {
    opened.splice(opened.indexOf(tab), 1);
    tab.conversation.dispose();
    await settle();
  };
  /** Nothing of the other tabs arrives in this one. */
  const deaf = () => ({ browser: new FakeBrowser() });
  return { world, open, start, close, deaf, opened };
};

export type Browser = ReturnType<typeof createBrowser>;

export const send = async ({ world }: Browser, { conversation }: ReturnType<typeof openTab>, text: string) => {
  await conversation.send(text);
  await world.clock.advance(2_000);
};

/** A storage whose operations wait until it is released. */
export const hold = (storage: ConversationStorage) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held: ConversationStorage = {
    load: async (key) => {
      await released;
      return storage.load(key);
    },
    update: async (key, change) => {
      await released;
      await storage.update(key, change);
    },
    keys: () => storage.keys(),
  };
  return { held, release: () => release() };
};

/** A store of texts, such as `localStorage`. A full one accepts nothing. */
const createItems = (isFull: boolean) => {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem(name: string, text: string) {
      if (isFull) throw new DOMException('The store is full.', 'QuotaExceededError');
      items.set(name, text);
    },
    removeItem: (name: string) => void items.delete(name),
  };
};

/** The counters of tabs that share a full `localStorage`. */
export const createFullStore = () => {
  const local = createItems(true);
  return (): Erasures => {
    const session = createItems(false);
    return erasuresIn(
      () => local,
      () => session,
    );
  };
};

export const blocked: Erasures = { get: () => ({ count: 0, note: null }), set: () => {} };

export const former = (fields: object = {}) => ({
  version: 1,
  revision: 3,
  startedAt: createWorld().clock.now(),
  conversationId: 'cnv_0',
  conversationToken: 'tok_0',
  owner: null,
  state: 'ai_active',
  messages: [{ role: 'user', key: 'a', at: 1, text: 'secret', delivery: 'confirmed' }],
  draft: '',
  unread: 0,
  submitted: {},
  calls: [],
  ...fields,
});
