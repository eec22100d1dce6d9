/** Faults of the stored record: invalid, expired or incomplete. */
import { expect } from '@playwright/test';
import { started } from '../../support/fakes/fake-service.ts';
import type { EngineFault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import { reply, holdCall } from '../../support/servers/server-faults.ts';
import { whole, storedWhole, failures } from '../expected.ts';

/** Stores a record before the widget reads the storage. */
const recordFault = (
  name: string,
  cause: string,
  outcome: string,
  record: string,
  shows: string[] = [],
): EngineFault => ({
  name,
  cause,
  outcome,
  page: { isBare: true },
  async run(page, server) {
    await page.evaluate(
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
    await page.evaluate('document.body.append(create())');
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

export const recordFaults: EngineFault[] = [
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
      await page.evaluate(() => {
        const look = new MutationObserver(() => {
          const element = document.querySelector('workspace-chat')!;
          // Reload the page as soon as the reply is complete.
          if (!element.busy && element.shadowRoot!.querySelector('.agent .text')) location.reload();
        });
        look.observe(document.querySelector('workspace-chat')!.shadowRoot!, { subtree: true, childList: true });
      });
      await page.send('Hi');
      await page.waitForReload(async () =>
        (await held.call).startStream().delta('Hello there').event('done', started()).end(),
      );
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
];
