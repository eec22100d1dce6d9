/** Stores earlier conversations where each widget looks for them. */
import type { Page } from 'playwright';
import { markdown } from './replies.ts';
import { deepChat, flowise, n8n, own, type Peer } from './peers.ts';
import type { BenchServer } from './server.ts';

const lastWord = 'the-end-of-history';
const firstWord = 'the-start-of-history';
export const words = { first: firstWord, last: lastWord };

const textsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    if (index === 0) return firstWord;
    if (index % 2 === 0) return `Question number ${index}?`;
    return index === count - 1 ? `${markdown(300)}\n\n${lastWord}` : markdown(300);
  });

/** As in `idb-storage.ts`. */
const pageSize = 50;
const unpaged = 10;

/** The entries of a stored conversation: the record, which holds the newest messages, and the pages of earlier ones. */
const ownEntries = (texts: string[], key: string): [unknown, unknown][] => {
  const at = Date.now();
  const reply = { actor: 'ai', ending: 'whole', sources: [], blocks: [], tools: [], outcome: null };
  const flags = { refused: false, limit: null, degraded: false };
  const messages = texts.map((text, index) =>
    index % 2
      ? { role: 'assistant', key: `k${index}`, id: `m${index}`, text, at, ...reply, ...flags }
      : { role: 'user', key: `k${index}`, text, at, delivery: 'confirmed' },
  );
  const pages = Math.max(0, Math.floor((messages.length - unpaged) / pageSize));
  const head = {
    version: 1,
    revision: 1,
    startedAt: at,
    conversationId: 'c',
    conversationToken: 't',
    owner: null,
    state: 'ai_active',
    messages: messages.slice(pages * pageSize),
    draft: '',
    unread: 0,
    submitted: {},
    calls: [],
    pages,
    stamp: 1,
  };
  const earlier = Array.from({ length: pages }, (_, page): [unknown, unknown] => [
    [key, page],
    messages.slice(page * pageSize, (page + 1) * pageSize),
  ]);
  return [[key, head], ...earlier];
};

const putAll = (page: Page, entries: [unknown, unknown][]) =>
  page.evaluate(
    (all) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('workspace-chat');
        request.onupgradeneeded = () => request.result.createObjectStore('conversations');
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const transaction = request.result.transaction('conversations', 'readwrite');
          for (const [key, value] of all) {
            transaction.objectStore('conversations').put(value, key as IDBValidKey);
          }
          transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
      }),
    entries,
  );

/** Call this before the widget's page is opened. */
export const leaveHistory = async (page: Page, server: BenchServer, peer: Peer, count: number): Promise<void> => {
  const texts = textsOf(count);
  if (peer === n8n) {
    server.earlier = texts.map((content, index) => ({
      id: ['messages', index % 2 ? 'AIMessage' : 'HumanMessage'],
      kwargs: { content },
    }));
    return;
  }
  if (peer === deepChat) {
    const history = texts.map((text, index) => ({ role: index % 2 ? 'ai' : 'user', text }));
    await page.addInitScript(`window.earlier = ${JSON.stringify(history)}`);
    return;
  }
  // Any URL of the same origin, because the page itself must not run yet.
  await page.goto(`${server.url}/nothing`);
  if (peer === own) await putAll(page, ownEntries(texts, `${server.url}/api/v2 svc_pk_bench a`));
  if (peer === flowise) {
    const chatHistory = texts.map((message, index) => ({
      message,
      messageId: `m${index}`,
      type: index % 2 ? 'apiMessage' : 'userMessage',
    }));
    const stored = JSON.stringify({ chatId: 'c', chatHistory });
    await page.evaluate(([value]) => localStorage.setItem('a_EXTERNAL', value!), [stored]);
  }
};
