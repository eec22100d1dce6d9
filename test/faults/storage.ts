/** Storage: the browser keeps nothing, or breaks while it does. */
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage } from '../support/pages/fault-page.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { answered, held } from '../support/servers/server-faults.ts';
import { started } from '../support/fakes/fake-service.ts';

const whole = ['visitor: Hi', 'agent: Hello there'];
const keptWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'pair cnv_1'];
const memoryOnly = 'Your browser isn’t saving this chat. It’s gone when you leave this page.';

const failures = async (page: FaultPage) => (await page.events()).filter((event) => event.startsWith('error'));

/** The chat works in memory: two turns of one conversation, and one warning. */
const worksInMemory = async (page: FaultPage, server: HostileServer) => {
  server.answer(answered(), answered('Again'));
  await page.send('Hi');
  await page.shows(...whole);
  await page.send('More');
  await page.shows(...whole, 'visitor: More', 'agent: Again');
  await page.banner(memoryOnly);
  await page.until(() => failures(page), ['error storage_unavailable']);
  await page.until(async () => server.posts.length, 2);
  const second = JSON.parse(server.posts[1]!.body) as { conversation_token?: string };
  await page.until(async () => second.conversation_token, 'tok_1');
};

/** The browser's database is so from the start. */
const brokenFault = (name: string, about: string, init: string): Fault => ({
  name,
  about,
  sees: `The chat works; “${memoryOnly}” once there is something to lose.`,
  page: { init },
  async prove(page, server) {
    await worksInMemory(page, server);
    await page.keepsNothing();
  },
});

/** A request or transaction that never gets anywhere unless the test says how. */
const openAs = (script: string) => `
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (name, ...rest) {
    ${script}
  };
`;

/** Every write that follows ends so, although its request succeeds. */
const abortWrites = `
  const transaction = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (...args) {
    const made = transaction.apply(this, args);
    if (window.isFull && args[1] === 'readwrite') {
      const { put } = IDBObjectStore.prototype;
      const store = made.objectStore.bind(made);
      made.objectStore = (name) => {
        const found = store(name);
        found.put = (...values) => {
          const request = put.apply(found, values);
          request.addEventListener('success', () => made.abort());
          return request;
        };
        return found;
      };
    }
    return made;
  };
`;

/** The page as it is, with this record stored before the widget looks. */
const recordFault = (name: string, about: string, sees: string, record: string, shows: string[] = []): Fault => ({
  name,
  about,
  sees,
  page: { isBare: true },
  async prove(page, server) {
    await page.page.evaluate(
      ([script, origin]) =>
        new Promise<void>((resolve, reject) => {
          const request = indexedDB.open('workspace-chat');
          request.onupgradeneeded = () => request.result.createObjectStore('conversations');
          request.onerror = () => reject(request.error!);
          request.onsuccess = () => {
            const made = request.result.transaction('conversations', 'readwrite');
            // oxlint-disable-next-line typescript/no-implied-eval -- the record is the test's own.
            made.objectStore('conversations').put(new Function(`return ${script}`)(), `${origin} svc_pk_test agt_1`);
            made.oncomplete = () => {
              request.result.close();
              resolve();
            };
          };
        }),
      [record, server.baseUrl] as const,
    );
    await page.page.evaluate('document.body.append(create())');
    await page.ready();
    await page.shows(...shows);
    server.answer((exchange) => exchange.stream().event('done', started()).end());
    await page.send('Hi');
    await page.shows(...shows, ...whole);
    await page.until(() => failures(page), []);
    await page.until(async () => server.posts.length, 1);
    await page.until(async () => (await page.stored())?.slice(-3), keptWhole);
  },
});

const alive = `version: 1, revision: 3, startedAt: Date.now(), conversationId: null, conversationToken: null, owner: null, state: 'ai_active', draft: '', unread: 0, submitted: {}, calls: []`;

export const storageFaults: FaultGroup = {
  title: 'storage',
  faults: [
    brokenFault(
      'no IndexedDB',
      'The browser has none.',
      `Object.defineProperty(window, 'indexedDB', { value: undefined });`,
    ),
    brokenFault(
      'IndexedDB is null',
      'An old webview has null in its place.',
      `Object.defineProperty(window, 'indexedDB', { value: null });`,
    ),
    brokenFault(
      'IndexedDB that may not be touched',
      'Reading the property itself throws.',
      `Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } });`,
    ),
    brokenFault('open throws', 'Opening throws at once.', openAs(`throw new DOMException('denied', 'SecurityError');`)),
    brokenFault(
      'private mode',
      'Opening fails, as it did in the private windows of old browsers.',
      openAs(`
        const request = new EventTarget();
        request.error = new DOMException('A mutation operation was attempted', 'InvalidStateError');
        setTimeout(() => request.onerror?.(new Event('error')));
        return request;
      `),
    ),
    brokenFault('open hangs', 'Opening never settles.', openAs('return new EventTarget();')),
    {
      name: 'a database that is being deleted',
      about: 'Another page has asked for its deletion and still holds it open, so that ours never opens.',
      sees: `The chat works; “${memoryOnly}”.`,
      page: { isBare: true },
      async prove(page, server) {
        const other = await page.openTab();
        await other.page.evaluate(
          () =>
            new Promise<void>((resolve) => {
              const request = indexedDB.open('workspace-chat');
              request.onupgradeneeded = () => request.result.createObjectStore('conversations');
              // Whoever holds on to its connection makes every later request wait.
              request.onsuccess = () => {
                indexedDB.deleteDatabase('workspace-chat').onblocked = () => resolve();
              };
            }),
        );
        await page.page.evaluate('document.body.append(create())');
        await page.ready();
        await worksInMemory(page, server);
      },
    },
    {
      name: 'a newer version',
      about: 'The database was upgraded by a version of the future.',
      sees: 'Nothing of it: what is there is used as it is.',
      page: { isBare: true },
      async prove(page, server) {
        await page.page.evaluate(
          () =>
            new Promise<void>((resolve) => {
              const request = indexedDB.open('workspace-chat', 7);
              request.onupgradeneeded = () => {
                request.result.createObjectStore('conversations');
                request.result.createObjectStore('of the future');
              };
              request.onsuccess = () => {
                request.result.close();
                resolve();
              };
            }),
        );
        await page.page.evaluate('document.body.append(create())');
        await page.ready();
        server.answer(answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(() => failures(page), []);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'a database without our store',
      about: 'Somebody else has a database of our name.',
      sees: `The chat works; “${memoryOnly}”.`,
      page: { isBare: true },
      async prove(page, server) {
        await page.page.evaluate(
          () =>
            new Promise<void>((resolve) => {
              const request = indexedDB.open('workspace-chat');
              request.onupgradeneeded = () => request.result.createObjectStore('theirs');
              request.onsuccess = () => {
                request.result.close();
                resolve();
              };
            }),
        );
        await page.page.evaluate('document.body.append(create())');
        await page.ready();
        await worksInMemory(page, server);
        await page.keepsNothing();
      },
    },
    {
      name: 'full from the start',
      about: 'The quota is used up: a write succeeds, and its transaction aborts.',
      sees: `The chat works; “${memoryOnly}”.`,
      page: { init: `window.isFull = true; ${abortWrites}` },
      async prove(page, server) {
        await worksInMemory(page, server);
        await page.keepsNothing();
      },
    },
    {
      name: 'full in mid-conversation',
      about: 'The quota is used up between two turns.',
      sees: `The conversation goes on; “${memoryOnly}”.`,
      page: { init: abortWrites },
      async prove(page, server) {
        server.answer(answered(), answered('Again'));
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.page.evaluate('window.isFull = true');
        await page.send('More');
        await page.shows(...whole, 'visitor: More', 'agent: Again');
        await page.banner(memoryOnly);
        await page.until(() => failures(page), ['error storage_unavailable']);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 2);
      },
    },
    {
      name: 'closed while open',
      about: 'The browser closes the connection once, without a word.',
      sees: 'Nothing: it is opened again, and the conversation stays.',
      page: {
        init: `
          const transaction = IDBDatabase.prototype.transaction;
          IDBDatabase.prototype.transaction = function (...args) {
            if (window.isClosed) {
              window.isClosed = false;
              this.close();
              this.onclose?.(new Event('close'));
              throw new DOMException('The database connection is closing.', 'InvalidStateError');
            }
            return transaction.apply(this, args);
          };
        `,
      },
      async prove(page, server) {
        server.answer(answered(), answered('Again'));
        await page.send('Hi');
        await page.shows(...whole);
        await page.page.evaluate('window.isClosed = true');
        await page.send('More');
        await page.shows(...whole, 'visitor: More', 'agent: Again');
        await page.banner(null);
        await page.until(() => failures(page), []);
        await page.keeps(...keptWhole.slice(0, 2), 'visitor confirmed: More', 'ai whole: Again', 'pair cnv_1');
        await page.until(async () => server.posts.length, 2);
      },
    },
    {
      name: 'site data cleared while open',
      about: 'The visitor clears the site’s data in mid-conversation.',
      sees: 'The conversation goes on in this page.',
      async prove(page, server) {
        server.answer(answered(), answered('Again'));
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        const session = await page.context.newCDPSession(page.page);
        const origin = new URL(page.url).origin;
        await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
        await page.send('More');
        await page.shows(...whole, 'visitor: More', 'agent: Again');
        await page.until(async () => server.posts.length, 2);
        const second = JSON.parse(server.posts[1]!.body) as { conversation_token?: string };
        await page.until(async () => second.conversation_token, 'tok_1');
        await page.keeps(...keptWhole.slice(0, 2), 'visitor confirmed: More', 'ai whole: Again', 'pair cnv_1');
      },
    },
    recordFault('a record that is a text', 'Something else lies in our place.', 'A new conversation.', `'garbage'`),
    recordFault(
      'a record of another version',
      'A version of the future wrote it.',
      'A new conversation.',
      `({ ${alive}, version: 2, messages: [] })`,
    ),
    recordFault(
      'a record of the day before',
      'It is older than a conversation can be.',
      'A new conversation.',
      `({ ${alive}, startedAt: Date.now() - 86400001, messages: [] })`,
    ),
    recordFault(
      'a record with broken messages',
      'Some of its messages are of no known shape.',
      'What can be read is shown; nothing breaks.',
      `({ ${alive}, messages: [
        null, 7, { role: 'user' }, { role: 'system', key: 'a', at: 1, text: 'x' },
        { role: 'assistant', key: 'b', at: 1, text: 'x', sources: [null], blocks: [], tools: [] },
        { role: 'assistant', key: 'c', at: 1, text: 'x', sources: [], blocks: [], tools: [{}] },
        { role: 'notice', key: 'd', at: 1, code: 'nothing_known' },
        { role: 'user', key: 'e', at: 1, text: 'Before', delivery: 'confirmed' },
        { role: 'user', key: 'f', at: 1, text: 'Odd', delivery: 'teleported' },
      ] })`,
      ['visitor: Before', 'visitor: Odd — Not confirmed [Send again] [Edit]'],
    ),
    {
      name: 'the pair before the end',
      about: 'The page dies in the moment in which the answer is shown as whole.',
      sees: 'After the reload: the message, the text, and the same conversation. Only the pair is sure to be written first, so the answer may count as interrupted.',
      async prove(page, server) {
        const call = held();
        server.answer(call.misdeed, answered('Again'));
        await page.page.evaluate(() => {
          const look = new MutationObserver(() => {
            const element = document.querySelector('workspace-chat')!;
            // Where the answer is whole, the page is left at once.
            if (!element.busy && element.shadowRoot!.querySelector('.agent .text')) location.reload();
          });
          look.observe(document.querySelector('workspace-chat')!.shadowRoot!, { subtree: true, childList: true });
        });
        await page.send('Hi');
        const reloaded = page.page.waitForEvent('load');
        (await call.exchange).stream().delta('Hello there').event('done', started()).end();
        await reloaded;
        await page.ready();
        const mark = ' — The reply was interrupted. [Ask again]';
        const shown = async () => (await page.transcript()).map((line) => line.replace(mark, ''));
        await page.until(shown, whole);
        await page.until(async () => (await page.record())?.conversationToken, 'tok_1');
        await page.send('More');
        await page.until(shown, [...whole, 'visitor: More', 'agent: Again']);
        const second = JSON.parse(server.posts[1]!.body) as { conversation_token?: string };
        await page.until(async () => second.conversation_token, 'tok_1');
        await page.until(async () => server.posts.length, 2);
        await page.until(
          async () => (await page.stored())?.slice(-3),
          ['visitor confirmed: More', 'ai whole: Again', 'pair cnv_1'],
        );
      },
    },
    {
      name: 'nothing before the first input',
      about: 'A visitor opens the chat, looks and leaves.',
      sees: 'The greeting.',
      async prove(page, server) {
        await page.shows();
        await page.keepsNothing();
        await page.until(async () => server.posts.length, 0);
      },
    },
  ],
};
