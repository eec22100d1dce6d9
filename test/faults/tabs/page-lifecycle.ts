/** Faults of the page lifecycle: crashes, the back/forward cache and navigation. */
import { expect } from '@playwright/test';
import { reportWithoutDevtools } from '../../support/browsers/without-devtools.ts';
import type { EngineFault } from '../../support/pages/fault.ts';
import type { FaultPage } from '../../support/pages/fault-page.ts';
import { transcriptOf } from '../../support/pages/transcript-of.ts';
import { poll } from '../../support/poll.ts';
import { reply, noResponse } from '../../support/servers/server-faults.ts';
import { whole, ids } from '../expected.ts';

/** A call of an unknown tool. It carries the credentials of the conversation. */
const callWithCredentials = {
  conversation_id: 'cnv_1',
  conversation_token: 'tok_1',
  call_id: 'call_1',
  name: 'nothing',
  arguments: {},
  timeout_ms: 15_000,
};

/** Crashes the process of the tab, and opens the page again. Leaving the page by a navigation would first fire `pagehide`. */
const crashAndReopen = async (page: FaultPage): Promise<void> => {
  const tab = await page.context.newPage();
  const devtools = await page.context.newCDPSession(page.page);
  const crashed = page.page.waitForEvent('crash');
  // The process does not respond any more.
  devtools.send('Page.crash').catch(() => {});
  await crashed;
  await tab.goto(page.url);
  page.page = tab;
  await page.waitUntilReady();
};

export const pageLifecycleFaults: EngineFault[] = [
  {
    name: 'crash right after Send',
    cause: 'The process of the tab crashes as the message is sent.',
    outcome: 'The reopened page shows the message once, marked “Not confirmed”, with “Send again”.',
    needs: 'a page that crashes its process',
    async run(page, server) {
      server.onChat(noResponse, reply());
      await page.send('Hi');
      await server.waitForCalls(1);
      await crashAndReopen(page);
      await page.expectTranscript('visitor: Hi — Not confirmed [Send again] [Edit]');
      await page.expectStored('visitor sending: Hi', 'no credentials');
      await page.click('Send again');
      await page.expectTranscript(...whole);
      await page.expectChatCalls(2);
    },
  },
  {
    name: 'crash during a reply',
    cause: 'The process of the tab crashes while the reply streams.',
    outcome: 'The reopened page shows the question and the received part of the reply, marked as interrupted.',
    needs: 'a page that crashes its process',
    page: { hasFakeClock: true },
    async run(page, server) {
      server.onChat((call) => call.startStream().delta('Half'));
      await page.send('Hi');
      await page.waitForReplies(1);
      await page.fastForward(1_500);
      await page.expectStored('visitor confirmed: Hi', 'ai interrupted: Half', 'no credentials');
      await crashAndReopen(page);
      // The crashed tab counts as active until it has sent no sign of life for twelve seconds.
      await page.expectTranscript('visitor: Hi', 'assistant: Half — The reply was interrupted. [Ask again]');
      await page.expectChatCalls(1);
    },
  },
  {
    name: 'page hidden and shown again',
    cause: 'The page enters the back/forward cache during a reply, and another tab continues the conversation.',
    outcome: 'The reply is marked as interrupted, and the turn of the other tab follows.',
    async run(page, server) {
      server.onChat(reply(), (call) => call.startStream().delta('Half'), reply('Three'));
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.send('More');
      await page.waitForReplies(2);
      // What was received in the last second may not be written any more.
      await poll(async () => (await page.stored())?.at(-2)).toBe('ai interrupted: Half');
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
      const cutOff = [...whole, 'visitor: More', 'assistant: Half — The reply was interrupted. [Ask again]'];
      // The page in the cache renders nothing, since the conversation may be erased before it returns.
      await page.expectTranscript();
      const tab = await page.openTab();
      await tab.expectTranscript(...cutOff);
      await tab.send('Again');
      await tab.expectTranscript(...cutOff, 'visitor: Again', 'assistant: Three');
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
      await page.expectTranscript(...cutOff, 'visitor: Again', 'assistant: Three');
      await poll(() => ids(server)).toEqual([undefined, 'cnv_1', 'cnv_1']);
      await poll(async () => (await page.stored())?.at(-1)).toBe('credentials cnv_1');
    },
  },
  {
    name: 'back from the back/forward cache',
    cause:
      'The visitor follows a link during a reply and returns, and the page is restored from the back/forward cache.',
    outcome: 'The reply is marked as interrupted, and the conversation continues.',
    needs: 'a browser without DevTools, whose pages enter the cache',
    page: { isBare: true },
    async run(_page, server) {
      server.onChat(
        (call) => call.startStream().event('client_tool', callWithCredentials).delta('Half'),
        reply('Again'),
      );
      const seen = await reportWithoutDevtools(`
          <body>
          <script type="module">
            if (location.pathname === '/away') addEventListener('load', () => requestAnimationFrame(() => history.back()));
            else {
              const element = document.createElement('workspace-chat');
              const attributes = { 'base-url': '${server.baseUrl}', 'publishable-key': 'svc_pk_test', 'agent-id': 'agt_1', mode: 'inline', locale: 'en' };
              for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
              document.body.append(element);
              await import('/a/workspace-chat.js');
              const transcript = () => (${transcriptOf.toString()})(element);
              const until = async (isSo) => { while (!isSo()) await new Promise(requestAnimationFrame); };
              addEventListener('pageshow', async ({ persisted }) => {
                // The page renders its transcript when it has read the record.
                await until(() => transcript().length > 0 && !transcript().at(-1).includes('streaming'));
                const before = transcript();
                await element.send('More');
                await until(() => transcript().at(-1) === 'assistant: Again');
                report({ persisted, before, after: transcript() });
              });
              element.send('Hi');
              await until(() => element.shadowRoot.querySelector('.agent .text')?.textContent);
              location.href = '/away';
            }
          </script>`);
      const cutOff = ['visitor: Hi', 'assistant: Half — The reply was interrupted. [Ask again]'];
      expect(seen).toEqual({
        persisted: true,
        before: cutOff,
        after: [...cutOff, 'visitor: More', 'assistant: Again'],
      });
      expect(ids(server)).toEqual([undefined, 'cnv_1']);
    },
  },
  {
    name: 'navigation during a turn',
    cause: 'The visitor navigates to another page of the site as the message is sent.',
    outcome: 'The other page shows the message once, marked “Not confirmed”.',
    async run(page, server) {
      server.onChat(noResponse);
      await page.send('Hi');
      await server.waitForCalls(1);
      await page.goto(page.url.replace('#', 'other#'));
      await page.waitUntilReady();
      // Firefox fails the call before it tells the page that it is left.
      const browser: string = await page.evaluate('navigator.userAgent');
      const reason = browser.includes('Firefox') ? 'The connection failed. ' : '';
      await page.expectTranscript(`visitor: Hi — Not confirmed ${reason}[Send again] [Edit]`);
      // A write during unload may be lost. Both states are restored as not confirmed.
      await poll(async () => (await page.stored())?.map((line) => line.replace('sending', 'unconfirmed'))).toEqual([
        'visitor unconfirmed: Hi',
        'no credentials',
      ]);
      await page.expectChatCalls(1);
    },
  },
];
