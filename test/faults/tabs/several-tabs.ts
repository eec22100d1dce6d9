/** Faults of several tabs: locks, missing browser features, frozen and suspended tabs. */
import { suspendRenderer } from '../../support/browsers/renderer.ts';
import { started } from '../../support/fakes/fake-service.ts';
import type { EngineFault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import type { ServerCall } from '../../support/servers/server-call.ts';
import { reply, holdCall, noResponse } from '../../support/servers/server-faults.ts';
import { completeTurn, ids, storedWhole, whole } from '../expected.ts';

const lost = 'visitor: Hi — Not confirmed The connection failed. [Send again] [Edit]';

export const severalTabsFaults: EngineFault[] = [
  {
    name: 'two tabs at once',
    cause: 'Two tabs send the first message in the same moment.',
    outcome: 'One conversation with both turns, in both tabs.',
    async run(page, server) {
      const tab = await page.openTab();
      const first = holdCall();
      server.onChat(first.handler, reply('Two'));
      await page.send('Hi');
      await server.waitForCalls(1);
      await tab.send('More');
      await tab.expectBanner('Replying in another tab. Your message is next.');
      (await first.call).startStream().event('done', started()).end();
      const both = [...whole, 'visitor: More', 'assistant: Two'];
      await tab.expectTranscript(...both);
      await page.expectTranscript(...both);
      await page.expectStored(
        ...storedWhole.slice(0, 2),
        'visitor confirmed: More',
        'ai whole: Two',
        'credentials cnv_1',
      );
      await poll(() => ids(server)).toEqual([undefined, 'cnv_1']);
    },
  },
  {
    name: 'neither locks nor channels',
    cause: 'The browser has no Web Locks and no BroadcastChannel.',
    outcome: 'The chat works; the other tab shows the turn once it sends a message or is reloaded.',
    page: {
      initScript: `Object.defineProperty(navigator, 'locks', { value: undefined }); delete window.BroadcastChannel;`,
    },
    async run(page, server) {
      const tab = await page.openTab();
      server.onChat(reply(), reply('Two'));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      await tab.send('More');
      await tab.expectTranscript(...whole, 'visitor: More', 'assistant: Two');
      await poll(() => ids(server)).toEqual([undefined, 'cnv_1']);
      await page.expectStored(
        ...storedWhole.slice(0, 2),
        'visitor confirmed: More',
        'ai whole: Two',
        'credentials cnv_1',
      );
    },
  },
  {
    name: 'locks that are refused',
    cause: 'Requesting a lock fails, as in a frame with an opaque origin.',
    outcome: 'The chat works.',
    page: {
      initScript: `LockManager.prototype.request = () => Promise.reject(new DOMException('denied', 'SecurityError'));
          LockManager.prototype.query = () => Promise.reject(new DOMException('denied', 'SecurityError'));`,
    },
    async run(page, server) {
      await completeTurn(page, server);
    },
  },
  {
    name: 'a dead tab holds the lock',
    cause: 'Another tab holds the lock and sends no sign of life for half a minute.',
    outcome: '“Replying in another tab. Your message is next.”, then the reply.',
    needs: 'the fake clock',
    page: { hasFakeClock: true },
    async run(page, server) {
      const other = await page.context.newPage();
      await other.goto(page.url.replace(/#.*/, '#%7B%7D'));
      const name = `workspace-chat ${server.baseUrl} svc_pk_test agt_1`;
      await other.evaluate(
        (lock) =>
          new Promise<void>((resolve) => {
            navigator.locks
              .request(lock, () => {
                resolve();
                return new Promise(() => {});
              })
              .catch(() => {});
          }),
        name,
      );
      server.onChat(reply());
      await page.send('Hi');
      await page.expectBanner('Replying in another tab. Your message is next.');
      await page.expectChatCalls(0);
      const holder = () => page.evaluate(async () => (await navigator.locks.query()).held?.[0]?.clientId);
      const dead = await holder();
      // Stop as soon as the lock has been taken, so that no timeout of the storage expires.
      for (let count = 0; count < 16 && (await holder()) === dead; count++) await page.fastForward(5_000);
      // Run the timers that the turn has set in the meantime, as a running clock would.
      for (let count = 0; count < 20; count++) await page.fastForward(20);
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      await page.expectChatCalls(1);
    },
  },
  {
    name: 'the lock is stolen from a frozen tab',
    cause: 'A tab was frozen during a turn, another tab took its lock, and the tab resumes.',
    outcome: 'The message of the frozen tab is marked “Not confirmed”. Nothing is sent twice, and no error is thrown.',
    async run(page, server) {
      server.onChat(noResponse);
      await page.send('Hi');
      await server.waitForCalls(1);
      const name = `workspace-chat ${server.baseUrl} svc_pk_test agt_1`;
      await page.evaluate((lock) => navigator.locks.request(lock, { steal: true }, () => {}), name);
      await page.waitUntilIdle();
      await page.expectTranscript(lost);
      await page.expectStored('visitor unconfirmed: Hi', 'no credentials');
      await page.expectChatCalls(1);
    },
  },
  {
    name: 'a tab that is suspended during a reply',
    cause: 'The process of a tab is suspended during a reply, another tab takes the lock, and the tab resumes.',
    outcome:
      'The other tab gets its reply after half a minute. In the suspended tab the reply is marked as interrupted, and nothing is sent twice.',
    needs: 'signals to the process of a tab',
    async run(page, server) {
      let stream: ServerCall | undefined;
      server.onChat((call) => (stream = call.startStream()), reply('Two'));
      await page.send('Hi');
      await page.expectStored('visitor confirmed: Hi', 'ai interrupted: ', 'no credentials');
      // The text is written a second later, alone. A tab that is suspended during a write blocks the storage of all tabs.
      stream!.delta('Half');
      await page.expectStored('visitor confirmed: Hi', 'ai interrupted: Half', 'no credentials');
      const tab = await page.openTab();
      await tab.send('More');
      await tab.expectBanner('Replying in another tab. Your message is next.');
      const wake = await suspendRenderer(page);
      try {
        // The tab counts six intervals of five seconds without a sign of life. The first one has begun, the others are short.
        await tab.evaluate(() => {
          const { setTimeout } = globalThis;
          globalThis.setTimeout = ((callback: () => void, delay?: number) =>
            setTimeout(callback, delay === 5_000 ? 50 : delay)) as typeof globalThis.setTimeout;
        });
        await tab.expectChatCalls(2);
        await poll(async () => (await tab.transcript()).slice(-2)).toEqual(['visitor: More', 'assistant: Two']);
      } finally {
        wake();
      }
      await page.waitUntilIdle();
      await poll(async () => (await page.transcript()).toSorted()).toEqual([
        'assistant: Half — The reply was interrupted. [Ask again]',
        'assistant: Two',
        'visitor: Hi',
        'visitor: More',
      ]);
      await page.expectChatCalls(2);
      await poll(async () => (await page.stored())?.at(-1)).toBe('credentials cnv_1');
    },
  },
];
