/** Tabs and pages: several of them, and pages that are left, frozen, moved and loaded twice. */
import assert from 'node:assert/strict';
import type { FaultGroup } from '../support/pages/fault.ts';
import { started } from '../support/fakes/fake-service.ts';
import { answered, held, silence } from '../support/servers/server-faults.ts';
import { haltRenderer } from '../support/browsers/renderer.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { transcriptOf } from '../support/pages/transcript-of.ts';
import { visitUnwatched } from '../support/browsers/without-devtools.ts';

const whole = ['visitor: Hi', 'agent: Hello there'];
const keptWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'pair cnv_1'];
const lost = 'visitor: Hi — Not confirmed We couldn’t confirm that your message arrived. [Send again] [Edit]';

const ids = ({ posts }: HostileServer) =>
  posts.map(({ body }) => (JSON.parse(body) as { conversation_id?: string }).conversation_id);

/** A call that no page has a tool for: it makes the conversation's pair known. */
const pairOnly = {
  conversation_id: 'cnv_1',
  conversation_token: 'tok_1',
  call_id: 'call_1',
  name: 'nothing',
  arguments: {},
  timeout_ms: 15_000,
};

export const tabFaults: FaultGroup = {
  title: 'tabs and pages',
  faults: [
    {
      name: 'two tabs at once',
      about: 'Two tabs send the first message in the same moment.',
      sees: 'One conversation with both turns, in both tabs.',
      async prove(page, server) {
        const tab = await page.openTab();
        const first = held();
        server.answer(first.misdeed, answered('Two'));
        await page.send('Hi');
        await server.received(1);
        await tab.send('More');
        await tab.banner('Replying in another tab. Your message is next.');
        (await first.exchange).stream().event('done', started()).end();
        const both = [...whole, 'visitor: More', 'agent: Two'];
        await tab.shows(...both);
        await page.shows(...both);
        await page.keeps(...keptWhole.slice(0, 2), 'visitor confirmed: More', 'ai whole: Two', 'pair cnv_1');
        await page.until(async () => ids(server), [undefined, 'cnv_1']);
      },
    },
    {
      name: 'neither locks nor channels',
      about: 'The browser has no Web Locks and no BroadcastChannel.',
      sees: 'The chat works; the other tab knows of it when it sends, or is loaded again.',
      page: {
        init: `Object.defineProperty(navigator, 'locks', { value: undefined }); delete window.BroadcastChannel;`,
      },
      async prove(page, server) {
        const tab = await page.openTab();
        server.answer(answered(), answered('Two'));
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await tab.send('More');
        await tab.shows(...whole, 'visitor: More', 'agent: Two');
        await page.until(async () => ids(server), [undefined, 'cnv_1']);
        await page.keeps(...keptWhole.slice(0, 2), 'visitor confirmed: More', 'ai whole: Two', 'pair cnv_1');
      },
    },
    {
      name: 'locks that are refused',
      about: 'Asking for a lock fails, as in a frame of an opaque origin.',
      sees: 'The chat works.',
      page: {
        init: `LockManager.prototype.request = () => Promise.reject(new DOMException('denied', 'SecurityError'));
          LockManager.prototype.query = () => Promise.reject(new DOMException('denied', 'SecurityError'));`,
      },
      async prove(page, server) {
        server.answer(answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'a dead tab holds the lock',
      about: 'Another tab holds the lock and is not heard of for half a minute.',
      sees: '“Replying in another tab. Your message is next.”, then the answer.',
      page: { clock: true },
      async prove(page, server) {
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
        server.answer(answered());
        await page.send('Hi');
        await page.banner('Replying in another tab. Your message is next.');
        await page.until(async () => server.posts.length, 0);
        const holder = () => page.page.evaluate(async () => (await navigator.locks.query()).held?.[0]?.clientId);
        const dead = await holder();
        // Not a moment longer: a storage that is waited for must not find that a minute has passed.
        for (let count = 0; count < 16 && (await holder()) === dead; count++) await page.pass(5_000);
        // What the turn leaves to its next moment gets one, as it would from a clock that runs.
        for (let count = 0; count < 20; count++) await page.pass(20);
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'the lock is stolen from a frozen tab',
      about: 'A tab was frozen in mid-turn and taken for dead; it wakes up.',
      sees: '“Not confirmed” in the tab that slept: nothing is sent twice, and no error is thrown.',
      async prove(page, server) {
        server.answer(silence);
        await page.send('Hi');
        await server.received(1);
        const name = `workspace-chat ${server.baseUrl} svc_pk_test agt_1`;
        await page.page.evaluate((lock) => navigator.locks.request(lock, { steal: true }, () => {}), name);
        await page.settled();
        await page.shows(lost);
        await page.keeps('visitor unconfirmed: Hi', 'no pair');
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'a tab that sleeps while it answers',
      about: 'The tab’s process is halted in mid-answer; another tab takes it for dead; it wakes up.',
      sees: 'The other tab’s message is answered after half a minute. In the tab that slept the answer is marked as interrupted; nothing is sent twice, and nothing breaks.',
      async prove(page, server) {
        server.answer((exchange) => exchange.stream().delta('Half'), answered('Two'));
        await page.send('Hi');
        await page.element.locator('.agent .text').waitFor();
        await page.keeps('visitor confirmed: Hi', 'ai interrupted: Half', 'no pair');
        const tab = await page.openTab();
        await tab.send('More');
        await tab.banner('Replying in another tab. Your message is next.');
        const wake = await haltRenderer(page);
        try {
          // The tab looks every five seconds whether it has heard of the other one in the last thirty.
          await tab.page.evaluate(() => {
            const { now } = Date;
            Date.now = () => now() + 40_000;
          });
          await tab.until(async () => server.posts.length, 2, 10_000);
          await tab.until(async () => (await tab.transcript()).slice(-2), ['visitor: More', 'agent: Two']);
        } finally {
          wake();
        }
        await page.settled();
        await page.until(
          async () => (await page.transcript()).toSorted(),
          ['agent: Half — The reply was interrupted. [Ask again]', 'agent: Two', 'visitor: Hi', 'visitor: More'],
        );
        await page.until(async () => server.posts.length, 2);
        await page.until(async () => (await page.stored())?.at(-1), 'pair cnv_1');
      },
    },
    {
      name: 'crash right after Send',
      about: 'The tab’s process dies as the message leaves.',
      sees: 'After reopening: the message once, “Not confirmed”, with “Send again”.',
      async prove(page, server) {
        server.answer(silence, answered());
        await page.send('Hi');
        await server.received(1);
        const tab = await page.context.newPage();
        await page.page.goto('chrome://crash').catch(() => {});
        await tab.goto(page.url);
        page.page = tab;
        await page.ready();
        await page.until(() => page.transcript(), ['visitor: Hi — Not confirmed [Send again] [Edit]'], 14_000);
        await page.keeps('visitor sending: Hi', 'no pair');
        await page.button('Send again').click();
        await page.shows(...whole);
        await page.until(async () => server.posts.length, 2);
      },
    },
    {
      name: 'crash in mid-answer',
      about: 'The tab’s process dies while the answer comes.',
      sees: 'After reopening: the question, and what was written of the answer, marked as interrupted.',
      page: { clock: true },
      async prove(page, server) {
        server.answer((exchange) => exchange.stream().delta('Half'));
        await page.send('Hi');
        await page.element.locator('.agent .text').waitFor();
        await page.pass(1_500);
        await page.keeps('visitor confirmed: Hi', 'ai interrupted: Half', 'no pair');
        const tab = await page.context.newPage();
        await page.page.goto('chrome://crash').catch(() => {});
        await tab.goto(page.url);
        page.page = tab;
        await page.ready();
        // The dead tab counts as answering until it has not been heard of for twelve seconds.
        const reopened = ['visitor: Hi', 'agent: Half — The reply was interrupted. [Ask again]'];
        await page.until(() => page.transcript(), reopened, 14_000);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'page hidden and shown again',
      about: 'The page goes to the back/forward cache in mid-answer, and another tab goes on meanwhile.',
      sees: 'The answer marked as interrupted, then what the other tab has said.',
      async prove(page, server) {
        server.answer(answered(), (exchange) => exchange.stream().delta('Half'), answered('Three'));
        await page.send('Hi');
        await page.shows(...whole);
        await page.send('More');
        await page.element.locator('.agent .text').nth(1).waitFor();
        await page.page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
        const cutOff = [...whole, 'visitor: More', 'agent: Half — The reply was interrupted. [Ask again]'];
        await page.shows(...cutOff);
        const tab = await page.openTab();
        await tab.shows(...cutOff);
        await tab.send('Again');
        await tab.shows(...cutOff, 'visitor: Again', 'agent: Three');
        await page.page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
        await page.shows(...cutOff, 'visitor: Again', 'agent: Three');
        await page.until(async () => ids(server), [undefined, 'cnv_1', 'cnv_1']);
        await page.until(async () => (await page.stored())?.at(-1), 'pair cnv_1');
      },
    },
    {
      name: 'back from the back/forward cache',
      about: 'In mid-answer the visitor follows a link, and comes back: the page wakes up in the browser’s own cache.',
      sees: 'The answer marked as interrupted; the conversation goes on.',
      page: { isBare: true },
      async prove(_page, server) {
        server.answer((exchange) => exchange.stream().event('client_tool', pairOnly).delta('Half'), answered('Again'));
        const seen = await visitUnwatched(`
          <body>
          <script type="module">
            if (location.pathname === '/away') addEventListener('load', () => setTimeout(() => history.back()));
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
                await until(() => !transcript().at(-1).includes('being written'));
                const before = transcript();
                await element.send('More');
                await until(() => transcript().at(-1) === 'agent: Again');
                report({ persisted, before, after: transcript() });
              });
              element.send('Hi');
              await until(() => element.shadowRoot.querySelector('.agent .text')?.textContent);
              location.href = '/away';
            }
          </script>`);
        const cutOff = ['visitor: Hi', 'agent: Half — The reply was interrupted. [Ask again]'];
        assert.deepEqual(seen, {
          persisted: true,
          before: cutOff,
          after: [...cutOff, 'visitor: More', 'agent: Again'],
        });
        assert.deepEqual(ids(server), [undefined, 'cnv_1']);
      },
    },
    {
      name: 'left in mid-turn',
      about: 'The visitor goes to another page of the site as the message leaves.',
      sees: 'There: the message once, “Not confirmed”.',
      async prove(page, server) {
        server.answer(silence);
        await page.send('Hi');
        await server.received(1);
        await page.page.goto(page.url.replace('#', 'other#'));
        await page.ready();
        await page.shows('visitor: Hi — Not confirmed [Send again] [Edit]');
        // What a page writes in its last moment may not reach the disk: both are read as not confirmed.
        await page.until(
          async () => (await page.stored())?.map((line) => line.replace('sending', 'unconfirmed')),
          ['visitor unconfirmed: Hi', 'no pair'],
        );
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'moved in mid-answer',
      about: 'The element is moved to another place of the page while the answer comes.',
      sees: 'The answer goes on, whole.',
      async prove(page, server) {
        const call = held();
        server.answer(call.misdeed);
        await page.send('Hi');
        const exchange = (await call.exchange).stream().delta('Hello ');
        await page.element.locator('.agent .text').waitFor();
        await page.page.evaluate(() => {
          const section = document.createElement('section');
          document.body.append(section);
          section.append(document.querySelector('workspace-chat')!);
        });
        exchange.delta('there').event('done', started()).end();
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'taken out and put back',
      about: 'The element is removed in mid-turn, and added again later, as page swaps do.',
      sees: 'The message once, “Not confirmed”, with “Send again”; the chat works.',
      async prove(page, server) {
        server.answer(silence, answered());
        await page.send('Hi');
        await server.received(1);
        await page.page.evaluate(async () => {
          const element = document.querySelector('workspace-chat')!;
          element.remove();
          await new Promise((resolve) => setTimeout(resolve, 100));
          document.body.append(element);
        });
        await page.shows('visitor: Hi — Not confirmed [Send again] [Edit]');
        await page.keeps('visitor unconfirmed: Hi', 'no pair');
        await page.button('Send again').click();
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 2);
      },
    },
    {
      name: 'removed while something is unsaved',
      about: 'The element is removed in the moment after a key is pressed.',
      sees: 'The draft is there again when the element is.',
      async prove(page, server) {
        await page.input.fill('Half a thought');
        await page.page.evaluate(async () => {
          const element = document.querySelector('workspace-chat')!;
          element.remove();
          await new Promise((resolve) => setTimeout(resolve, 100));
          document.body.append(element);
        });
        await page.ready();
        await page.until(() => page.input.inputValue(), 'Half a thought');
        await page.keeps('no pair');
        await page.until(async () => server.posts.length, 0);
      },
    },
    {
      name: 'created twice',
      about: 'The page has two elements for the same agent.',
      sees: 'One conversation in both.',
      async prove(page, server) {
        await page.page.evaluate('document.body.append(create())');
        server.answer(answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.until(
          () => page.page.locator('workspace-chat').nth(1).locator('.visitor .bubble').allInnerTexts(),
          ['Hi'],
        );
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'loaded twice, in two versions',
      about: 'The script is on the page twice, from two places.',
      sees: 'One chat that works.',
      async prove(page, server) {
        await page.page.evaluate(`import('/b/workspace-chat.js')`);
        server.answer(answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'no session storage',
      about: 'Touching sessionStorage throws.',
      sees: 'The chat works.',
      page: {
        init: `Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });`,
      },
      async prove(page, server) {
        server.answer(answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'a sandboxed frame',
      about: 'The page is in a frame of an opaque origin, with neither storage nor locks.',
      sees: 'The chat works, and keeps nothing.',
      page: { isBare: true },
      async prove(page, server) {
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
        server.answer(answered());
        const input = frame.locator('workspace-chat textarea');
        await input.fill('Hi');
        await input.press('Enter');
        await frame.locator('workspace-chat .agent .text', { hasText: 'Hello there' }).waitFor();
        await page.until(async () => server.posts.length, 1);
        await page.keepsNothing();
      },
    },
    {
      name: 'a page that throws',
      about: 'The page’s listeners throw at every event of the element.',
      sees: 'The chat works.',
      complaints: /thrown by the page/,
      page: {
        init: `for (const name of ['ready', 'send', 'message', 'conversation', 'state'])
          addEventListener('workspace-chat-' + name, () => { throw new Error('thrown by the page'); }, true);`,
      },
      async prove(page, server) {
        server.answer(answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'a page that wraps fetch',
      about: 'A script of the page replaces fetch by one that reads every body whole.',
      sees: 'The answer as it comes: the widget uses the browser’s own.',
      async prove(page, server) {
        await page.page.evaluate('window.fetch = () => Promise.reject(new Error("wrapped"))');
        server.answer(answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 1);
      },
    },
  ],
};
