/** Faults of tabs and pages: several tabs, navigation, suspended and crashed tabs, moved elements. */
import { expect } from '@playwright/test';
import { poll } from '../support/poll.ts';
import type { FaultGroup } from '../support/pages/fault.ts';
import { started } from '../support/fakes/fake-service.ts';
import { reply, holdCall, noResponse } from '../support/servers/server-faults.ts';
import { suspendRenderer } from '../support/browsers/renderer.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { transcriptOf } from '../support/pages/transcript-of.ts';
import { reportWithoutDevtools } from '../support/browsers/without-devtools.ts';

const whole = ['visitor: Hi', 'assistant: Hello there'];
const storedWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'credentials cnv_1'];
const lost = 'visitor: Hi — Not confirmed We couldn’t confirm that your message arrived. [Send again] [Edit]';

const ids = ({ chatCalls }: HostileServer) =>
  chatCalls.map(({ body }) => (JSON.parse(body) as { conversation_id?: string }).conversation_id);

/** A call of an unknown tool. It carries the credentials of the conversation. */
const callWithCredentials = {
  conversation_id: 'cnv_1',
  conversation_token: 'tok_1',
  call_id: 'call_1',
  name: 'nothing',
  arguments: {},
  timeout_ms: 15_000,
};

/** Scripts for the page. The widget stops its work in a task after the removal. */
const removeElement = `window.removed = document.querySelector('workspace-chat'); removed.remove()`;
const addElement = `document.body.append(removed)`;

export const tabFaults: FaultGroup = {
  title: 'tabs and pages',
  faults: [
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
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'a dead tab holds the lock',
      cause: 'Another tab holds the lock and sends no sign of life for half a minute.',
      outcome: '“Replying in another tab. Your message is next.”, then the reply.',
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
        const holder = () => page.page.evaluate(async () => (await navigator.locks.query()).held?.[0]?.clientId);
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
      outcome:
        'The message of the frozen tab is marked “Not confirmed”. Nothing is sent twice, and no error is thrown.',
      async run(page, server) {
        server.onChat(noResponse);
        await page.send('Hi');
        await server.waitForCalls(1);
        const name = `workspace-chat ${server.baseUrl} svc_pk_test agt_1`;
        await page.page.evaluate((lock) => navigator.locks.request(lock, { steal: true }, () => {}), name);
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
      async run(page, server) {
        server.onChat((call) => call.startStream().delta('Half'), reply('Two'));
        await page.send('Hi');
        await page.element.locator('.agent .text').waitFor();
        await page.expectStored('visitor confirmed: Hi', 'ai interrupted: Half', 'no credentials');
        const tab = await page.openTab();
        await tab.send('More');
        await tab.expectBanner('Replying in another tab. Your message is next.');
        const wake = await suspendRenderer(page);
        try {
          // Every five seconds the tab checks whether the other one has sent a sign of life in the last thirty.
          await tab.page.evaluate(() => {
            const { now } = Date;
            Date.now = () => now() + 40_000;
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
    {
      name: 'crash right after Send',
      cause: 'The process of the tab crashes as the message is sent.',
      outcome: 'The reopened page shows the message once, marked “Not confirmed”, with “Send again”.',
      async run(page, server) {
        server.onChat(noResponse, reply());
        await page.send('Hi');
        await server.waitForCalls(1);
        const tab = await page.context.newPage();
        await page.page.goto('chrome://crash').catch(() => {});
        await tab.goto(page.url);
        page.page = tab;
        await page.waitUntilReady();
        await expect
          .poll(() => page.transcript(), { timeout: 14_000 })
          .toEqual(['visitor: Hi — Not confirmed [Send again] [Edit]']);
        await page.expectStored('visitor sending: Hi', 'no credentials');
        await page.button('Send again').click();
        await page.expectTranscript(...whole);
        await page.expectChatCalls(2);
      },
    },
    {
      name: 'crash during a reply',
      cause: 'The process of the tab crashes while the reply streams.',
      outcome: 'The reopened page shows the question and the received part of the reply, marked as interrupted.',
      page: { hasFakeClock: true },
      async run(page, server) {
        server.onChat((call) => call.startStream().delta('Half'));
        await page.send('Hi');
        await page.element.locator('.agent .text').waitFor();
        await page.fastForward(1_500);
        await page.expectStored('visitor confirmed: Hi', 'ai interrupted: Half', 'no credentials');
        const tab = await page.context.newPage();
        await page.page.goto('chrome://crash').catch(() => {});
        await tab.goto(page.url);
        page.page = tab;
        await page.waitUntilReady();
        // The crashed tab counts as active until it has sent no sign of life for twelve seconds.
        const reopened = ['visitor: Hi', 'assistant: Half — The reply was interrupted. [Ask again]'];
        await expect.poll(() => page.transcript(), { timeout: 14_000 }).toEqual(reopened);
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
        await page.element.locator('.agent .text').nth(1).waitFor();
        await page.page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
        const cutOff = [...whole, 'visitor: More', 'assistant: Half — The reply was interrupted. [Ask again]'];
        await page.expectTranscript(...cutOff);
        const tab = await page.openTab();
        await tab.expectTranscript(...cutOff);
        await tab.send('Again');
        await tab.expectTranscript(...cutOff, 'visitor: Again', 'assistant: Three');
        await page.page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
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
                // The page first renders what it had received when it was frozen.
                await until(() => !transcript().at(-1).includes('streaming'));
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
        await page.page.goto(page.url.replace('#', 'other#'));
        await page.waitUntilReady();
        await page.expectTranscript('visitor: Hi — Not confirmed [Send again] [Edit]');
        // A write during unload may be lost. Both states are restored as not confirmed.
        await poll(async () => (await page.stored())?.map((line) => line.replace('sending', 'unconfirmed'))).toEqual([
          'visitor unconfirmed: Hi',
          'no credentials',
        ]);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'moved during a reply',
      cause: 'The element is moved to another place of the page while the reply streams.',
      outcome: 'The reply continues and is complete.',
      async run(page, server) {
        const held = holdCall();
        server.onChat(held.handler);
        await page.send('Hi');
        const call = (await held.call).startStream().delta('Hello ');
        await page.element.locator('.agent .text').waitFor();
        await page.page.evaluate(() => {
          const section = document.createElement('section');
          document.body.append(section);
          section.append(document.querySelector('workspace-chat')!);
        });
        call.delta('there').event('done', started()).end();
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'taken out and put back',
      cause: 'The element is removed during a turn and added again later, as page transitions do.',
      outcome: 'The message is marked “Not confirmed”, with “Send again”, and the chat works.',
      async run(page, server) {
        const held = holdCall();
        server.onChat(held.handler, reply());
        await page.send('Hi');
        await server.waitForCalls(1);
        await page.page.evaluate(removeElement);
        await (await held.call).closed();
        await page.page.evaluate(addElement);
        await page.expectTranscript('visitor: Hi — Not confirmed [Send again] [Edit]');
        await page.expectStored('visitor unconfirmed: Hi', 'no credentials');
        await page.button('Send again').click();
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(2);
      },
    },
    {
      name: 'removed while something is unsaved',
      cause: 'The element is removed right after a key press.',
      outcome: 'The draft is restored when the element is added again.',
      async run(page) {
        await page.input.fill('Half a thought');
        await page.page.evaluate(removeElement);
        await poll(async () => (await page.record())?.draft).toBe('Half a thought');
        await page.page.evaluate(addElement);
        await page.waitUntilReady();
        await expect(page.input).toHaveValue('Half a thought');
        await page.expectStored('no credentials');
        await page.expectChatCalls(0);
      },
    },
    {
      name: 'created twice',
      cause: 'The page has two elements for the same agent.',
      outcome: 'Both elements show the same conversation.',
      async run(page, server) {
        await page.page.evaluate('document.body.append(create())');
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await poll(() =>
          page.page.locator('workspace-chat').nth(1).locator('.visitor .bubble').allInnerTexts(),
        ).toEqual(['Hi']);
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'loaded twice, in two versions',
      cause: 'The page loads the script twice, from two URLs.',
      outcome: 'There is one chat, and it works.',
      async run(page, server) {
        await page.page.evaluate(`import('/b/workspace-chat.js')`);
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'no session storage',
      cause: 'Reading window.sessionStorage throws.',
      outcome: 'The chat works.',
      page: {
        initScript: `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });`,
      },
      async run(page, server) {
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'a sandboxed frame',
      cause: 'The page is in a frame of an opaque origin, with neither storage nor locks.',
      outcome: 'The chat works and stores nothing.',
      page: { isBare: true },
      async run(page, server) {
        const frame = page.page.frameLocator('iframe');
        await page.page.evaluate(
          (src) => {
            const box = document.createElement('iframe');
            box.setAttribute('sandbox', 'allow-scripts');
            box.style.cssText = 'inline-size:500px;block-size:650px';
            box.src = src;
            document.body.append(box);
          },
          `${page.url.replace(/#.*/, '')}framed#%7B%7D`,
        );
        const inner = frame.locator('body');
        await inner.evaluate(() => {
          const { create } = window as unknown as { create: () => Element };
          document.body.append(create());
        });
        server.onChat(reply());
        const input = frame.locator('workspace-chat textarea');
        await input.fill('Hi');
        await input.press('Enter');
        await frame.locator('workspace-chat .agent .text', { hasText: 'Hello there' }).waitFor();
        await page.expectChatCalls(1);
        await page.expectNothingStored();
      },
    },
    {
      name: 'a page that throws',
      cause: 'The page’s listeners throw at every event of the element.',
      outcome: 'The chat works.',
      allowedErrors: /thrown by the page/,
      page: {
        initScript: `for (const name of ['ready', 'send', 'message', 'conversation', 'state'])
          addEventListener('workspace-chat-' + name, () => { throw new Error('thrown by the page'); }, true);`,
      },
      async run(page, server) {
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'a page that wraps fetch',
      cause: 'A script of the page replaces window.fetch with a function that fails.',
      outcome: 'The reply is rendered, since the widget uses the browser’s own fetch.',
      async run(page, server) {
        await page.page.evaluate('window.fetch = () => Promise.reject(new Error("wrapped"))');
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(1);
      },
    },
  ],
};
