/** Faults of the browser’s storage: missing, blocked, full, corrupt or closed. */
import { expect } from '@playwright/test';
import { poll } from '../support/poll.ts';
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage } from '../support/pages/fault-page.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { reply, holdCall } from '../support/servers/server-faults.ts';
import { started } from '../support/fakes/fake-service.ts';

const whole = ['visitor: Hi', 'assistant: Hello there'];
const storedWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'credentials cnv_1'];
const memoryOnly = 'Your browser isn’t saving this chat. It’s gone when you leave this page.';

const failures = async (page: FaultPage) => (await page.events()).filter((event) => event.startsWith('error'));

/** Proves that the chat works in memory: two turns of one conversation, and one warning. */
const worksInMemory = async (page: FaultPage, server: HostileServer) => {
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
const brokenFault = (name: string, cause: string, initScript: string): Fault => ({
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

/** Stores a record before the widget reads the storage. */
const recordFault = (name: string, cause: string, outcome: string, record: string, shows: string[] = []): Fault => ({
  name,
  cause,
  outcome,
  page: { isBare: true },
  async run(page, server) {
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
    await page.waitUntilReady();
    await page.expectTranscript(...shows);
    server.onChat((call) => call.startStream().event('done', started()).end());
    await page.send('Hi');
    await page.expectTranscript(...shows, ...whole);
    await poll(() => failures(page)).toEqual([]);
    await page.expectChatCalls(1);
    await poll(async () => (await page.stored())?.slice(-3)).toEqual(storedWhole);
  },
});

const alive = `version: 1, revision: 3, startedAt: Date.now(), conversationId: null, conversationToken: null, owner: null, state: 'ai_active', draft: '', unread: 0, submitted: {}, calls: []`;

export const storageFaults: FaultGroup = {
  title: 'storage',
  faults: [
    brokenFault(
      'no IndexedDB',
      'The browser has no IndexedDB.',
      `Object.defineProperty(window, 'indexedDB', { value: undefined });`,
    ),
    brokenFault(
      'IndexedDB is null',
      'In an old webview window.indexedDB is null.',
      `Object.defineProperty(window, 'indexedDB', { value: null });`,
    ),
    brokenFault(
      'blocked IndexedDB',
      'Reading window.indexedDB throws.',
      `Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } });`,
    ),
    brokenFault('open throws', 'IDBFactory.open throws.', openAs(`throw new DOMException('denied', 'SecurityError');`)),
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
        await other.page.evaluate(
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
        await page.page.evaluate('document.body.append(create())');
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
        await page.page.evaluate('window.isFull = true');
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
        await page.page.evaluate('window.isClosed = true');
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
      outcome: 'The conversation goes on in this page.',
      async run(page, server) {
        server.onChat(reply(), reply('Again'));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        const session = await page.context.newCDPSession(page.page);
        const origin = new URL(page.url).origin;
        await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
        await page.send('More');
        await page.expectTranscript(...whole, 'visitor: More', 'assistant: Again');
        await page.expectChatCalls(2);
        const second = JSON.parse(server.chatCalls[1]!.body) as { conversation_token?: string };
        expect(second.conversation_token).toBe('tok_1');
        await page.expectStored(
          ...storedWhole.slice(0, 2),
          'visitor confirmed: More',
          'ai whole: Again',
          'credentials cnv_1',
        );
      },
    },
    recordFault(
      'a record that is a string',
      'The stored value is not a record.',
      'The visitor starts a new conversation.',
      `'garbage'`,
    ),
    recordFault(
      'a record of another version',
      'A newer version of the widget has written the record.',
      'The visitor starts a new conversation.',
      `({ ${alive}, version: 2, messages: [] })`,
    ),
    recordFault(
      'a record of the day before',
      'The record is more than 24 hours old.',
      'The visitor starts a new conversation.',
      `({ ${alive}, startedAt: Date.now() - 86400001, messages: [] })`,
    ),
    recordFault(
      'a record with broken messages',
      'Some messages of the record have an unknown shape.',
      'The valid messages are rendered, and the chat works.',
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
      name: 'reload at the end of the first reply',
      cause: 'The page is reloaded at the moment when the reply is rendered as complete.',
      outcome:
        'After the reload the message, the text and the conversation are restored. Only the credentials are certainly written by then, so the reply may count as interrupted.',
      async run(page, server) {
        const held = holdCall();
        server.onChat(held.handler, reply('Again'));
        await page.page.evaluate(() => {
          const look = new MutationObserver(() => {
            const element = document.querySelector('workspace-chat')!;
            // Reload the page as soon as the reply is complete.
            if (!element.busy && element.shadowRoot!.querySelector('.agent .text')) location.reload();
          });
          look.observe(document.querySelector('workspace-chat')!.shadowRoot!, { subtree: true, childList: true });
        });
        await page.send('Hi');
        const reloaded = page.page.waitForEvent('load');
        (await held.call).startStream().delta('Hello there').event('done', started()).end();
        await reloaded;
        await page.waitUntilReady();
        const mark = ' — The reply was interrupted. [Ask again]';
        const shown = async () => (await page.transcript()).map((line) => line.replace(mark, ''));
        await poll(shown).toEqual(whole);
        await poll(async () => (await page.record())?.conversationToken).toBe('tok_1');
        await page.send('More');
        await poll(shown).toEqual([...whole, 'visitor: More', 'assistant: Again']);
        const second = JSON.parse(server.chatCalls[1]!.body) as { conversation_token?: string };
        expect(second.conversation_token).toBe('tok_1');
        await page.expectChatCalls(2);
        await poll(async () => (await page.stored())?.slice(-3)).toEqual([
          'visitor confirmed: More',
          'ai whole: Again',
          'credentials cnv_1',
        ]);
      },
    },
    {
      name: 'nothing before the first input',
      cause: 'A visitor opens the chat and writes nothing.',
      outcome: 'The greeting is rendered, and nothing is stored.',
      async run(page) {
        await page.expectTranscript();
        await page.expectNothingStored();
        await page.expectChatCalls(0);
      },
    },
  ],
};
