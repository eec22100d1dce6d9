/** Faults of erasing: a conversation that is erased while something else is going on must not return. */
import type { FaultPage } from '../../support/pages/fault-page.ts';
import type { Fault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import { errorResponse, reply } from '../../support/servers/server-faults.ts';
import { bodies, whole } from '../expected.ts';
import { anew, identify, person } from './visitor.ts';

const busy = errorResponse(429, 'rate_limited', { 'retry-after': '60' });

const call = (page: FaultPage, method: 'reset' | 'logout') =>
  page.page.evaluate((name) => document.querySelector('workspace-chat')![name](), method);

/** Every write fails, as in a full storage. Deleting works. */
const fullStorage = () => {
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('The storage is full.', 'QuotaExceededError');
  };
};

/** Returns everything that the origin has stored, as text. */
const everything = async (page: FaultPage) =>
  JSON.stringify([await page.record(), await page.page.evaluate('[{ ...localStorage }, { ...sessionStorage }]')]);

const otherVisitorFault = (name: string, change: (page: FaultPage) => Promise<unknown>): Fault => ({
  name,
  cause: 'The message of a visitor waits for a busy service. Meanwhile the visitor changes.',
  outcome: 'The message is not sent, and neither rendered nor stored any longer.',
  page: { hasFakeClock: true },
  async run(page, server) {
    await identify(page, person('amal'));
    server.onChat(busy, reply('Welcome', anew));
    await page.send('secret of Amal');
    await server.waitForCalls(1);
    await page.element.locator('.banner').waitFor();
    await change(page);
    await page.expectTranscript();
    await page.expectErased();
    await page.fastForward(70_000);
    await page.send('Hi');
    await page.expectTranscript('visitor: Hi', 'assistant: Welcome');
    await poll(() => bodies(server).map(({ conversation_id }) => conversation_id)).toEqual([undefined, undefined]);
    await poll(async () => (await everything(page)).includes('secret')).toBe(false);
  },
});

export const erasingFaults: Fault[] = [
  otherVisitorFault('another visitor while a message waits', (page) => identify(page, person('badr'))),
  otherVisitorFault('logout while a message waits', (page) => call(page, 'logout')),
  ...(['reset', 'logout'] as const).map((method): Fault => ({
    name: `${method} with a full storage`,
    cause: `The storage becomes full during a conversation, and the page calls ${method}().`,
    outcome: 'The stored conversation is deleted, and does not return after a reload.',
    async run(page, server) {
      await identify(page, person('amal'));
      server.onChat(reply());
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.page.evaluate(fullStorage);
      await call(page, method);
      await page.expectTranscript();
      await page.expectNothingStored();
      await page.reload();
      await page.expectTranscript();
    },
  })),
  {
    name: 'reset in one tab, and a waiting message in another',
    cause: 'One tab waits for a busy service, and the conversation is erased in another tab.',
    outcome: 'The waiting message is removed, and the waiting tab does not write the record again.',
    page: { hasFakeClock: true },
    async run(page, server) {
      server.onChat(reply(), busy);
      await page.send('Hi');
      await page.expectTranscript(...whole);
      const tab = await page.openTab();
      await page.send('More');
      await server.waitForCalls(2);
      await page.element.locator('.banner').waitFor();
      await call(tab, 'reset');
      await page.expectTranscript();
      await page.fastForward(70_000);
      await page.expectErased();
      await page.expectChatCalls(2);
    },
  },
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
      await page.page.evaluate(() => {
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
      await page.page.evaluate(() => {
        void document.querySelector('workspace-chat')!.reset();
        location.reload();
      });
      await page.page.waitForLoadState();
      await page.waitUntilReady();
      await page.expectTranscript();
      await page.expectErased();
    },
  },
];
