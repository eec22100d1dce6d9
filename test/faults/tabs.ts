/** Tabs and pages: several of them, and pages that are left, frozen, moved and loaded twice. */
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
const keptWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'credentials cnv_1'];
const lost =
  'visitor: Hi — Not confirmed The connection failed, so it is not sure that your message arrived. [Send again] [Edit]';

const ids = ({ chatCalls }: HostileServer) =>
  chatCalls.map(({ body }) => (JSON.parse(body) as { conversation_id?: string }).conversation_id);

/** A call that no page has a tool for: it makes the conversation's pair known. */
const pairOnly = {
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
        await tab.expectBanner('Answering in another tab. Your message is next.');
        (await first.call).startStream().event('done', started()).end();
        const both = [...whole, 'visitor: More', 'assistant: Two'];
        await tab.expectTranscript(...both);
        await page.expectTranscript(...both);
        await page.expectStored(
          ...keptWhole.slice(0, 2),
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
      outcome: 'The chat works; the other tab knows of it when it sends, or is loaded again.',
      page: {
        initScript: `Object.defineProperty(navigator, 'locks', { value: undefined }); delete window.BroadcastChannel;`,
      },
      async run(page, server) {
        const tab = await page.openTab();
        server.onChat(reply(), reply('Two'));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await tab.send('More');
        await tab.expectTranscript(...whole, 'visitor: More', 'assistant: Two');
        await poll(() => ids(server)).toEqual([undefined, 'cnv_1']);
        await page.expectStored(
          ...keptWhole.slice(0, 2),
          'visitor confirmed: More',
          'ai whole: Two',
          'credentials cnv_1',
        );
      },
    },
    {
      name: 'locks that are refused',
      cause: 'Asking for a lock fails, as in a frame of an opaque origin.',
      outcome: 'The chat works.',
      page: {
        initScript: `LockManager.prototype.request = () => Promise.reject(new DOMException('denied', 'SecurityError'));
          LockManager.prototype.query = () => Promise.reject(new DOMException('denied', 'SecurityError'));`,
      },
      async run(page, server) {
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'a dead tab holds the lock',
      cause: 'Another tab holds the lock and is not heard of for half a minute.',
      outcome: '“Answering in another tab. Your message is next.”, then the answer.',
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
        await page.expectBanner('Answering in another tab. Your message is next.');
        await page.expectChatCalls(0);
        const holder = () => page.page.evaluate(async () => (await navigator.locks.query()).held?.[0]?.clientId);
        const dead = await holder();
        // Not a moment longer: a storage that is waited for must not find that a minute has passed.
        for (let count = 0; count < 16 && (await holder()) === dead; count++) await page.fastForward(5_000);
        // What the turn leaves to its next moment gets one, as it would from a clock that runs.
        for (let count = 0; count < 20; count++) await page.fastForward(20);
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'the lock is stolen from a frozen tab',
      cause: 'A tab was frozen in mid-turn and taken for dead; it wakes up.',
      outcome: '“Not confirmed” in the tab that slept: nothing is sent twice, and no error is thrown.',
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
      name: 'a tab that sleeps while it answers',
      cause: 'The tab’s process is halted in mid-answer; another tab takes it for dead; it wakes up.',
      outcome:
        'The other tab’s message is answered after half a minute. In the tab that slept the answer is marked as interrupted; nothing is sent twice, and nothing breaks.',
      async run(page, server) {
        server.onChat((call) => call.startStream().delta('Half'), reply('Two'));
        await page.send('Hi');
        await page.element.locator('.agent .text').waitFor();
        await page.expectStored('visitor confirmed: Hi', 'ai interrupted: Half', 'no credentials');
        const tab = await page.openTab();
        await tab.send('More');
        await tab.expectBanner('Answering in another tab. Your message is next.');
        const wake = await suspendRenderer(page);
        try {
          // The tab looks every five seconds whether it has heard of the other one in the last thirty.
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
          'assistant: Half — The answer was interrupted. [Ask again]',
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
      cause: 'The tab’s process dies as the message leaves.',
      outcome: 'After reopening: the message once, “Not confirmed”, with “Send again”.',
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
      name: 'crash in mid-answer',
      cause: 'The tab’s process dies while the answer comes.',
      outcome: 'After reopening: the question, and what was written of the answer, marked as interrupted.',
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
        // The dead tab counts as answering until it has not been heard of for twelve seconds.
        const reopened = ['visitor: Hi', 'assistant: Half — The answer was interrupted. [Ask again]'];
        await expect.poll(() => page.transcript(), { timeout: 14_000 }).toEqual(reopened);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'page hidden and shown again',
      cause: 'The page goes to the back/forward cache in mid-answer, and another tab goes on meanwhile.',
      outcome: 'The answer marked as interrupted, then what the other tab has said.',
      async run(page, server) {
        server.onChat(reply(), (call) => call.startStream().delta('Half'), reply('Three'));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.send('More');
        await page.element.locator('.agent .text').nth(1).waitFor();
        await page.page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
        const cutOff = [...whole, 'visitor: More', 'assistant: Half — The answer was interrupted. [Ask again]'];
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
      cause: 'In mid-answer the visitor follows a link, and comes back: the page wakes up in the browser’s own cache.',
      outcome: 'The answer marked as interrupted; the conversation goes on.',
      page: { isBare: true },
      async run(_page, server) {
        server.onChat((call) => call.startStream().event('client_tool', pairOnly).delta('Half'), reply('Again'));
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
                // What the page was frozen in the middle of is drawn first.
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
        const cutOff = ['visitor: Hi', 'assistant: Half — The answer was interrupted. [Ask again]'];
        expect(seen).toEqual({
          persisted: true,
          before: cutOff,
          after: [...cutOff, 'visitor: More', 'assistant: Again'],
        });
        expect(ids(server)).toEqual([undefined, 'cnv_1']);
      },
    },
    {
      name: 'left in mid-turn',
      cause: 'The visitor goes to another page of the site as the message leaves.',
      outcome: 'There: the message once, “Not confirmed”.',
      async run(page, server) {
        server.onChat(noResponse);
        await page.send('Hi');
        await server.waitForCalls(1);
        await page.page.goto(page.url.replace('#', 'other#'));
        await page.waitUntilReady();
        await page.expectTranscript('visitor: Hi — Not confirmed [Send again] [Edit]');
        // What a page writes in its last moment may not reach the disk: both are read as not confirmed.
        await poll(async () => (await page.stored())?.map((line) => line.replace('sending', 'unconfirmed'))).toEqual([
          'visitor unconfirmed: Hi',
          'no credentials',
        ]);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'moved in mid-answer',
      cause: 'The element is moved to another place of the page while the answer comes.',
      outcome: 'The answer goes on, whole.',
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
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'taken out and put back',
      cause: 'The element is removed in mid-turn, and added again later, as page swaps do.',
      outcome: 'The message once, “Not confirmed”, with “Send again”; the chat works.',
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
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(2);
      },
    },
    {
      name: 'removed while something is unsaved',
      cause: 'The element is removed in the moment after a key is pressed.',
      outcome: 'The draft is there again when the element is.',
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
      outcome: 'One conversation in both.',
      async run(page, server) {
        await page.page.evaluate('document.body.append(create())');
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await poll(() =>
          page.page.locator('workspace-chat').nth(1).locator('.visitor .bubble').allInnerTexts(),
        ).toEqual(['Hi']);
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'loaded twice, in two versions',
      cause: 'The script is on the page twice, from two places.',
      outcome: 'One chat that works.',
      async run(page, server) {
        await page.page.evaluate(`import('/b/workspace-chat.js')`);
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'no session storage',
      cause: 'Touching sessionStorage throws.',
      outcome: 'The chat works.',
      page: {
        initScript: `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });`,
      },
      async run(page, server) {
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'a sandboxed frame',
      cause: 'The page is in a frame of an opaque origin, with neither storage nor locks.',
      outcome: 'The chat works, and keeps nothing.',
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
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'a page that wraps fetch',
      cause: 'A script of the page replaces fetch by one that reads every body whole.',
      outcome: 'The answer as it comes: the widget uses the browser’s own.',
      async run(page, server) {
        await page.page.evaluate('window.fetch = () => Promise.reject(new Error("wrapped"))');
        server.onChat(reply());
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.expectStored(...keptWhole);
        await page.expectChatCalls(1);
      },
    },
  ],
};
