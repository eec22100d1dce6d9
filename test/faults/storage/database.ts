/** Faults of the database: missing, blocked, full or closed. */
import { expect } from '@playwright/test';
import type { PortablePage } from '../../support/pages/portable-page.ts';
import type { EngineFault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import type { HostileServer } from '../../support/servers/hostile-server.ts';
import { reply } from '../../support/servers/server-faults.ts';
import { whole, storedWhole, failures, ids } from '../expected.ts';

const memoryOnly = 'Your browser isn’t saving this chat. It’s gone when you leave this page.';

/** Proves that the chat works in memory: two turns of one conversation, and one warning. */
const worksInMemory = async (page: PortablePage, server: HostileServer) => {
  server.onChat(reply(), reply('Again'));
  await page.send('Hi');
  await page.expectTranscript(...whole);
  await page.send('More');
  await page.expectTranscript(...whole, 'visitor: More', 'assistant: Again');
  await page.expectBanner(memoryOnly);
  await poll(() => failures(page)).toEqual(['error storage_unavailable']);
  await page.expectChatCalls(2);
  const second = JSON.parse(server.chatCalls[1]!.body) as { conversation_token?: string };
  expect(second.conversation_token).toBe('tok_1');
};

/** A fault of the database from the start. */
const brokenFault = (name: string, cause: string, initScript: string): EngineFault => ({
  name,
  cause,
  outcome: `The chat works; “${memoryOnly}” is shown after the first message.`,
  page: { initScript },
  async run(page, server) {
    await worksInMemory(page, server);
    await page.expectNothingStored();
  },
});

/** Replaces IDBFactory.open. */
const openAs = (script: string) => `
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (name, ...rest) {
    ${script}
  };
`;

/** Aborts every write once `window.isFull` is set, although its request succeeds. */
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

export const databaseFaults: EngineFault[] = [
  brokenFault(
    'no IndexedDB',
    'The browser has no IndexedDB.',
    `Object.defineProperty(window, 'indexedDB', { value: undefined });`,
  ),
  brokenFault(
    'blocked IndexedDB',
    'Reading window.indexedDB throws.',
    `Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } });`,
  ),
  brokenFault(
    'private mode',
    'Opening the database fails, as in private windows of old browsers.',
    openAs(`
        const request = new EventTarget();
        request.error = new DOMException('A mutation operation was attempted', 'InvalidStateError');
        queueMicrotask(() => request.onerror?.(new Event('error')));
        return request;
      `),
  ),
  brokenFault('open hangs', 'Opening the database never succeeds or fails.', openAs('return new EventTarget();')),
  {
    name: 'a database that is being deleted',
    cause: 'Another page deletes the database while it keeps it open, so that the widget cannot open it.',
    outcome: `The chat works; “${memoryOnly}”.`,
    page: { isBare: true },
    async run(page, server) {
      const other = await page.openTab();
      await other.evaluate(
        () =>
          new Promise<void>((resolve) => {
            const request = indexedDB.open('workspace-chat');
            request.onupgradeneeded = () => request.result.createObjectStore('conversations');
            // While this connection is open, every later request waits.
            request.onsuccess = () => {
              indexedDB.deleteDatabase('workspace-chat').onblocked = () => resolve();
            };
          }),
      );
      await page.evaluate('document.body.append(create())');
      await page.waitUntilReady();
      await worksInMemory(page, server);
    },
  },
  {
    name: 'a newer version',
    cause: 'A newer version of the widget has upgraded the database.',
    outcome: 'The widget uses the database as it is, and the visitor notices nothing.',
    page: { isBare: true },
    async run(page, server) {
      await page.evaluate(
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
      await page.evaluate('document.body.append(create())');
      await page.waitUntilReady();
      server.onChat(reply());
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      await poll(() => failures(page)).toEqual([]);
      await page.expectChatCalls(1);
    },
  },
  {
    name: 'a database without our store',
    cause: 'Another script has created a database of the same name.',
    outcome: `The chat works; “${memoryOnly}”.`,
    page: { isBare: true },
    async run(page, server) {
      await page.evaluate(
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
      await page.evaluate('document.body.append(create())');
      await page.waitUntilReady();
      await worksInMemory(page, server);
      await page.expectNothingStored();
    },
  },
  {
    name: 'full from the start',
    cause: 'The quota is exceeded: each write succeeds, but its transaction aborts.',
    outcome: `The chat works; “${memoryOnly}”.`,
    page: { initScript: `window.isFull = true; ${abortWrites}` },
    async run(page, server) {
      await worksInMemory(page, server);
      await page.expectNothingStored();
    },
  },
  {
    name: 'full during a conversation',
    cause: 'The quota is exceeded between two turns.',
    outcome: `The conversation goes on; “${memoryOnly}”.`,
    page: { initScript: abortWrites },
    async run(page, server) {
      server.onChat(reply(), reply('Again'));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      await page.evaluate('window.isFull = true');
      await page.send('More');
      await page.expectTranscript(...whole, 'visitor: More', 'assistant: Again');
      await page.expectBanner(memoryOnly);
      await poll(() => failures(page)).toEqual(['error storage_unavailable']);
      await page.expectStored(...storedWhole);
      await page.expectChatCalls(2);
    },
  },
  {
    name: 'closed while open',
    cause: 'The browser closes the connection to the database once.',
    outcome: 'The widget opens the database again, and the conversation stays.',
    page: {
      initScript: `
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
    async run(page, server) {
      server.onChat(reply(), reply('Again'));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.evaluate('window.isClosed = true');
      await page.send('More');
      await page.expectTranscript(...whole, 'visitor: More', 'assistant: Again');
      await page.expectBanner(null);
      await poll(() => failures(page)).toEqual([]);
      await page.expectStored(
        ...storedWhole.slice(0, 2),
        'visitor confirmed: More',
        'ai whole: Again',
        'credentials cnv_1',
      );
      await page.expectChatCalls(2);
    },
  },
  {
    name: 'site data cleared while open',
    cause: 'The visitor clears the site’s data during a conversation.',
    outcome: 'The page forgets the conversation, and the next message starts a new one.',
    needs: 'a DevTools session that clears the site’s data',
    async run(page, server) {
      server.onChat(reply(), reply('Again', { conversation_id: 'cnv_2', conversation_token: 'tok_2' }));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      const session = await page.context.newCDPSession(page.page);
      const origin = new URL(page.url).origin;
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
      await page.send('More');
      await page.expectTranscript('visitor: More', 'assistant: Again');
      await page.expectChatCalls(2);
      expect(ids(server)).toEqual([undefined, undefined]);
      await page.expectStored('visitor confirmed: More', 'ai whole: Again', 'credentials cnv_2');
    },
  },
];
