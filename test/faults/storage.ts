/** Storage: the browser keeps nothing, or breaks while it does. */
import { expect } from '@playwright/test';
import { poll } from '../support/poll.ts';
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage } from '../support/pages/fault-page.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { reply, holdCall } from '../support/servers/server-faults.ts';
import { started } from '../support/fakes/fake-service.ts';

const whole = ['visitor: Hi', 'assistant: Hello there'];
const keptWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'credentials cnv_1'];
const memoryOnly = 'This browser keeps nothing: the conversation ends when you leave this page.';

const failures = async (page: FaultPage) => (await page.events()).filter((event) => event.startsWith('error'));

/** The chat works in memory: two turns of one conversation, and one warning. */
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

/** The browser's database is so from the start. */
const brokenFault = (name: string, cause: string, initScript: string): Fault => ({
  name,
  cause,
  outcome: `The chat works; “${memoryOnly}” once there is something to lose.`,
  page: { initScript },
  async run(page, server) {
    await worksInMemory(page, server);
    await page.expectNothingStored();
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
    await poll(async () => (await page.stored())?.slice(-3)).toEqual(keptWhole);
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
        queueMicrotask(() => request.onerror?.(new Event('error')));
        return request;
      `),
    ),
    brokenFault('open hangs', 'Opening never settles.', openAs('return new EventTarget();')),
    {
      name: 'a database that is being deleted',
      cause: 'Another page has asked for its deletion and still holds it open, so that ours never opens.',
      outcome: `The chat works; “${memoryOnly}”.`,
      page: { isBare: true },
      async run(page, server) {
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
        await page.waitUntilReady();
        await worksInMemory(page, server);
      },
    },
    {
      name: 'a newer version',
      cause: 'The database was upgraded by a version of the future.',
      outcome: 'Nothing of it: what is there is used as it is.',
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
        await page.expectStored(...keptWhole);
        await poll(() => failures(page)).toEqual([]);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'a database without our store',
      cause: 'Somebody else has a database of our name.',
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
      cause: 'The quota is used up: a write succeeds, and its transaction aborts.',
      outcome: `The chat works; “${memoryOnly}”.`,
      page: { initScript: `window.isFull = true; ${abortWrites}` },
      async run(page, server) {
        await worksInMemory(page, server);
        await page.expectNothingStored();
      },
    },
    {
      name: 'full in mid-conversation',
      cause: 'The quota is used up between two turns.',
      outcome: `The conversation goes on; “${memoryOnly}”.`,
      page: { initScript: abortWrites },
      async run(page, server) {
        server.onChat(reply(), reply('Again'));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await page.page.evaluate('window.isFull = true');
        await page.send('More');
        await page.expectTranscript(...whole, 'visitor: More', 'assistant: Again');
        await page.expectBanner(memoryOnly);
        await poll(() => failures(page)).toEqual(['error storage_unavailable']);
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(2);
      },
    },
    {
      name: 'closed while open',
      cause: 'The browser closes the connection once, without a word.',
      outcome: 'Nothing: it is opened again, and the conversation stays.',
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
          ...keptWhole.slice(0, 2),
          'visitor confirmed: More',
          'ai whole: Again',
          'credentials cnv_1',
        );
        await page.expectChatCalls(2);
      },
    },
    {
      name: 'site data cleared while open',
      cause: 'The visitor clears the site’s data in mid-conversation.',
      outcome: 'The conversation goes on in this page.',
      async run(page, server) {
        server.onChat(reply(), reply('Again'));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        const session = await page.context.newCDPSession(page.page);
        const origin = new URL(page.url).origin;
        await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
        await page.send('More');
        await page.expectTranscript(...whole, 'visitor: More', 'assistant: Again');
        await page.expectChatCalls(2);
        const second = JSON.parse(server.chatCalls[1]!.body) as { conversation_token?: string };
        expect(second.conversation_token).toBe('tok_1');
        await page.expectStored(
          ...keptWhole.slice(0, 2),
          'visitor confirmed: More',
          'ai whole: Again',
          'credentials cnv_1',
        );
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
      cause: 'The page dies in the moment in which the answer is shown as whole.',
      outcome:
        'After the reload: the message, the text, and the same conversation. Only the pair is sure to be written first, so the answer may count as interrupted.',
      async run(page, server) {
        const held = holdCall();
        server.onChat(held.handler, reply('Again'));
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
        (await held.call).startStream().delta('Hello there').event('done', started()).end();
        await reloaded;
        await page.waitUntilReady();
        const mark = ' — The answer was interrupted. [Ask again]';
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
      cause: 'A visitor opens the chat, looks and leaves.',
      outcome: 'The greeting.',
      async run(page) {
        await page.expectTranscript();
        await page.expectNothingStored();
        await page.expectChatCalls(0);
      },
    },
  ],
};
