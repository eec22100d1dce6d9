/** Faults of erasing: a conversation that is erased while something else is going on must not return. */
import { expect } from '@playwright/test';
import { response } from '../../support/fakes/fake-service.ts';
import type { FaultPage } from '../../support/pages/fault-page.ts';
import type { PortablePage } from '../../support/pages/portable-page.ts';
import type { EngineFault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import type { HostileServer } from '../../support/servers/hostile-server.ts';
import { errorResponse, holdCall, noResponse, reply } from '../../support/servers/server-faults.ts';
import { bodies, ids, storedWhole, whole } from '../expected.ts';
import { anew, identify, person } from './visitor.ts';

const busy = errorResponse(429, 'rate_limited', { 'retry-after': '60' });

const call = (page: PortablePage, method: 'reset' | 'logout') =>
  page.evaluate((name) => document.querySelector('workspace-chat')![name](), method);

/** Every write fails, as in a full storage. Deleting works. */
const fullStorage = () => {
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('The storage is full.', 'QuotaExceededError');
  };
};

/** Returns everything that the origin has stored, as text. */
const everything = async (page: PortablePage) =>
  JSON.stringify([await page.record(), await page.evaluate('[{ ...localStorage }, { ...sessionStorage }]')]);

const changes = {
  'another visitor': (page: PortablePage) => identify(page, person('badr')),
  logout: (page: PortablePage) => call(page, 'logout'),
};

const otherVisitorFault = (change: keyof typeof changes, isOffline: boolean): EngineFault => ({
  name: `${change} while a message waits ${isOffline ? 'for the network' : 'for the service'}`,
  cause: `The message of a visitor waits ${isOffline ? 'until the device is online' : 'for a busy service'}. Meanwhile the visitor changes.`,
  outcome: 'The message is not sent, and neither rendered nor stored any longer.',
  needs: 'the fake clock',
  page: { hasFakeClock: true },
  async run(page, server) {
    await identify(page, person('amal'));
    if (!isOffline) server.onChat(busy);
    server.onChat(reply('Welcome', anew));
    if (isOffline) await page.goOffline();
    await page.send('secret of Amal');
    await page.waitForBanner();
    await changes[change](page);
    await page.expectTranscript();
    await page.expectErased();
    await page.context.setOffline(false);
    await page.fastForward(70_000);
    await page.send('Hi');
    await page.expectTranscript('visitor: Hi', 'assistant: Welcome');
    await page.expectChatCalls(isOffline ? 1 : 2);
    expect(bodies(server).some(({ conversation_id }) => conversation_id)).toBe(false);
    expect(bodies(server).at(-1)!.contact).toEqual(
      change === 'logout' ? undefined : { user_id: 'badr', user_hash: 'hash-of-badr' },
    );
    await poll(async () => (await everything(page)).includes('secret')).toBe(false);
  },
});

/** The ways in which a tab is in the middle of its second message, `More`. */
const turns: Record<string, { cause: string; begin(page: FaultPage, server: HostileServer): Promise<() => unknown> }> =
  {
    waiting: {
      cause: 'One tab waits for a busy service',
      async begin(page, server) {
        server.onChat(busy);
        await page.send('More');
        await page.waitForBanner();
        return () => page.fastForward(70_000);
      },
    },
    offline: {
      cause: 'One tab waits until the device is online',
      async begin(page) {
        await page.goOffline();
        await page.send('More');
        await page.waitForBanner();
        return () => page.context.setOffline(false);
      },
    },
    streaming: {
      cause: 'One tab receives a reply',
      async begin(page, server) {
        const held = holdCall();
        server.onChat(held.handler);
        await page.send('More');
        (await held.call).startStream().delta('Half');
        await page.waitForReplies(2);
        return async () => (await held.call).delta(' of it').event('done', response()).end();
      },
    },
    storing: {
      cause: 'One tab waits for a slow storage',
      async begin(page, server) {
        server.onChat(noResponse);
        const holder = await page.openTab();
        await holder.evaluate(occupyStorage);
        await page.send('More');
        await server.waitForCalls(2);
        return () => holder.evaluate('window.isReleased = true');
      },
    },
  };

/** Keeps a transaction open, so that the other tabs wait for theirs, until `isReleased` is set. */
const occupyStorage = () =>
  new Promise<void>((resolve) => {
    const request = indexedDB.open('workspace-chat');
    request.onsuccess = () => {
      const store = request.result.transaction('conversations', 'readwrite').objectStore('conversations');
      const spin = () => {
        if ((window as { isReleased?: boolean }).isReleased) return request.result.close();
        store.get('nothing').onsuccess = spin;
        resolve();
      };
      spin();
    };
  });

const otherTabFault = (name: string): EngineFault => ({
  name: `reset in one tab, and ${name} in another`,
  cause: `${turns[name]!.cause}, and the conversation is erased in another tab.`,
  outcome: 'The message is removed, and the other tab does not write the record again.',
  needs: 'the fake clock',
  page: { hasFakeClock: true },
  async run(page, server) {
    server.onChat(reply());
    await page.send('Hi');
    await page.expectTranscript(...whole);
    await page.expectStored(...storedWhole);
    const tab = await page.openTab();
    await tab.expectTranscript(...whole);
    const finish = await turns[name]!.begin(page, server);
    const erased = call(tab, 'reset');
    await page.expectTranscript();
    await finish();
    await erased;
    await page.expectErased();
    await page.expectTranscript();
    await tab.expectTranscript();
    await page.expectChatCalls(name === 'offline' ? 1 : 2);
  },
});

export const erasingFaults: EngineFault[] = [
  ...[false, true].flatMap((isOffline) => [
    otherVisitorFault('another visitor', isOffline),
    otherVisitorFault('logout', isOffline),
  ]),
  ...(['reset', 'logout'] as const).map((method): EngineFault => ({
    name: `${method} with a full storage`,
    cause: `The storage becomes full during a conversation, and the page calls ${method}().`,
    outcome: 'The stored conversation is deleted, and does not return after a reload.',
    async run(page, server) {
      await identify(page, person('amal'));
      server.onChat(reply());
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.evaluate(fullStorage);
      await call(page, method);
      await page.expectTranscript();
      await page.expectNothingStored();
      await page.reload();
      await page.expectTranscript();
    },
  })),
  ...Object.keys(turns).map(otherTabFault),
  {
    name: 'reset in one tab, without BroadcastChannel',
    cause: 'The browser has no BroadcastChannel, and the conversation is erased in another tab.',
    outcome:
      'A tab that sends a message finds the erasure: its transcript disappears, and it starts a new conversation.',
    page: { initScript: 'delete globalThis.BroadcastChannel;' },
    async run(page, server) {
      server.onChat(reply(), reply('Welcome', anew));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      const tab = await page.openTab();
      await tab.expectTranscript(...whole);
      await call(tab, 'reset');
      await page.evaluate(() => {
        dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      });
      await page.expectTranscript();
      await page.send('More');
      await page.expectTranscript('visitor: More', 'assistant: Welcome');
      await page.expectStored('visitor confirmed: More', 'ai whole: Welcome', 'credentials cnv_2');
    },
  },
  {
    name: 'reset before the page is left',
    cause: 'The page calls reset() and navigates at once.',
    outcome: 'The next page completes the erasure.',
    async run(page, server) {
      server.onChat(reply());
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.waitForReload(() =>
        page.evaluate(() => {
          void document.querySelector('workspace-chat')!.reset();
          location.reload();
        }),
      );
      await page.expectTranscript();
      await page.expectErased();
    },
  },
  {
    name: 'reset before the element is replaced',
    cause: 'The page calls reset() and replaces the element in the same task.',
    outcome: 'The new element completes the erasure.',
    async run(page, server) {
      server.onChat(reply());
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.evaluate(() => {
        const element = document.querySelector('workspace-chat')!;
        void element.reset();
        element.replaceWith((window as unknown as { create(): Element }).create());
      });
      await page.waitUntilReady();
      await page.expectTranscript();
      await page.expectErased();
    },
  },
  {
    name: 'reset in another tab, in memory',
    cause: 'The storage is full, so that a tab continues in memory. The conversation is erased in another tab.',
    outcome: 'The transcript disappears, and the next message starts a new conversation.',
    async run(page, server) {
      server.onChat(reply(), reply('Two'), reply('Welcome', anew));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      const tab = await page.openTab();
      await tab.expectTranscript(...whole);
      await page.evaluate(fullStorage);
      await page.send('More');
      await page.expectTranscript(...whole, 'visitor: More', 'assistant: Two');
      await page.waitForBanner();
      await call(tab, 'reset');
      await page.expectTranscript();
      await page.send('Anew');
      await page.expectTranscript('visitor: Anew', 'assistant: Welcome');
      expect(ids(server)).toEqual([undefined, 'cnv_1', undefined]);
    },
  },
  ...Object.entries(changes).map(([name, change]): EngineFault => ({
    name: `${name} after a rejected message`,
    cause: 'A message of a visitor was rejected, and another text is typed. Then the visitor changes.',
    outcome: 'Neither the message nor the text is rendered or stored any longer.',
    async run(page, server) {
      await identify(page, person('amal'));
      server.onChat(errorResponse(422, 'validation_error'));
      await page.send('secret of Amal');
      await page.waitForButton('Edit');
      await page.fill('another secret');
      await change(page);
      await page.expectTranscript();
      await page.expectInput('');
      await page.expectErased();
      await page.reload();
      await page.expectTranscript();
      await page.expectInput('');
      await poll(async () => (await everything(page)).includes('secret')).toBe(false);
    },
  })),
];
