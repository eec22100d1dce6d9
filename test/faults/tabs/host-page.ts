/** Faults of the page around the element: it moves, removes or duplicates the element, or throws. */
import { started } from '../../support/fakes/fake-service.ts';
import type { EngineFault } from '../../support/pages/fault.ts';
import { reply, holdCall } from '../../support/servers/server-faults.ts';
import { completeTurn, storedWhole, whole } from '../expected.ts';

/** Scripts for the page. The widget stops its work in a task after the removal. */
const removeElement = `(window.removed = document.querySelector('workspace-chat')).remove()`;

const addElement = `document.body.append(removed)`;

export const hostPageFaults: EngineFault[] = [
  {
    name: 'moved during a reply',
    cause: 'The element is moved to another place of the page while the reply streams.',
    outcome: 'The reply continues and is complete.',
    async run(page, server) {
      const held = holdCall();
      server.onChat(held.handler);
      await page.send('Hi');
      const call = (await held.call).startStream().delta('Hello ');
      await page.waitForReplies(1);
      await page.evaluate(() => {
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
      await page.evaluate(removeElement);
      await (await held.call).closed();
      await page.evaluate(addElement);
      await page.expectTranscript('visitor: Hi — Not confirmed The connection failed. [Send again] [Edit]');
      await page.expectStored('visitor unconfirmed: Hi', 'no credentials');
      await page.click('Send again');
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
      await page.fill('Half a thought');
      await page.evaluate(removeElement);
      await page.evaluate(addElement);
      await page.waitUntilReady();
      await page.expectInput('Half a thought');
      await page.expectNothingStored();
      await page.expectChatCalls(0);
    },
  },
  {
    name: 'created twice',
    cause: 'The page has two elements for the same agent.',
    outcome: 'Both elements show the same conversation.',
    async run(page, server) {
      await page.evaluate('document.body.append(create())');
      server.onChat(reply());
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.waitFor(
        `document.querySelectorAll('workspace-chat')[1].shadowRoot.querySelector('.visitor .bubble')?.textContent.trim() === 'Hi'`,
      );
      await page.expectStored(...storedWhole);
      await page.expectChatCalls(1);
    },
  },
  {
    name: 'loaded twice, in two versions',
    cause: 'The page loads the script twice, from two URLs.',
    outcome: 'There is one chat, and it works.',
    async run(page, server) {
      await page.evaluate(`import('/b/workspace-chat.js')`);
      await completeTurn(page, server);
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
      await completeTurn(page, server);
    },
  },
  {
    name: 'a sandboxed frame',
    cause: 'The page is in a frame of an opaque origin, with neither storage nor locks.',
    outcome: 'The chat works, its forms too, and stores nothing.',
    needs: 'access to a frame',
    page: { isBare: true },
    async run(page, server) {
      const frame = page.page.frameLocator('iframe');
      await page.evaluate(
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
      const fields = [
        { key: 'city', label_en: 'City', label_ar: 'المدينة', kind: 'text', options: [], required: true },
      ];
      const blocks = [{ type: 'form', title: { en: 'Visit' }, fields }];
      for (const send of ['click', 'Enter']) {
        const message = { id: `msg_${send}`, role: 'assistant', content: 'Where?', blocks };
        server.onChat(reply('Where?', { message } as object), reply(send));
        await input.fill('A visit');
        await input.press('Enter');
        const form = frame.locator('workspace-chat form');
        await form.locator('input').fill('Muscat');
        if (send === 'click') await form.locator('button').click();
        else await form.locator('input').press('Enter');
        await frame.locator('workspace-chat .agent .text', { hasText: send }).waitFor();
      }
      await page.expectChatCalls(5);
      await page.expectNothingStored();
    },
  },
  {
    name: 'a page that wraps fetch',
    cause: 'A script of the page replaces window.fetch with a function that fails.',
    outcome: 'The reply is rendered, since the widget uses the browser’s own fetch.',
    async run(page, server) {
      await page.evaluate('window.fetch = () => Promise.reject(new Error("wrapped"))');
      await completeTurn(page, server);
    },
  },
];
