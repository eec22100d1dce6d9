/** Faults in which what a visitor has typed could be lost. */
import { expect, type Route } from '@playwright/test';
import { isStandalone, type Fault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import { errorResponse, reply, resetConnection } from '../../support/servers/server-faults.ts';
import { storedWhole, whole } from '../expected.ts';
import { anew, person } from '../identity/visitor.ts';

/** The files that a conversation can be without. */
const extras = /\/a\/(?!workspace-chat|standalone|chat-|en-|ar-)[^/]+\.js$/;

/** What a page sets whose chat uses every extra that needs no click. */
const usesExtras = `Object.assign(document.querySelector('workspace-chat'), {
  contact: ${person('amal')}, feedback: true, pageTools: true, repliesUrl: '/replies', speech: true,
}).registerTool({ name: 'look_up', run: () => 1 })`;

const rejected = errorResponse(422, 'validation_error');

export const textFaults: Fault[] = [
  {
    name: 'Edit with a text in the input',
    cause: 'The visitor edits two rejected messages while something is typed.',
    outcome: 'The input holds all three texts.',
    async run(page, server) {
      server.onChat(rejected, rejected);
      await page.send('One');
      await page.button('Edit').waitFor();
      await page.send('Two');
      await expect(page.button('Edit')).toHaveCount(2);
      await page.input.fill('Three');
      await page.button('Edit').first().click();
      await page.button('Edit').click();
      await expect(page.input).toHaveValue('Three\n\nOne\n\nTwo');
      await page.expectTranscript();
    },
  },
  {
    name: 'Stop with a text in the input',
    cause: 'The visitor stops a message that waits for the service while something else is typed.',
    outcome: 'The message stays in the transcript as not sent, and the text stays in the input.',
    async run(page, server) {
      server.onChat(errorResponse(429, 'rate_limited', { 'retry-after': '60' }));
      await page.send('One');
      await page.element.locator('.banner').waitFor();
      await page.input.fill('Two');
      await page.button('Stop').click();
      await expect(page.input).toHaveValue('Two');
      await page.expectTranscript('visitor: One — Not sent [Send again] [Edit]');
    },
  },
  {
    name: 'a reload right after typing',
    cause: 'The visitor reloads the page in the moment after the last key.',
    outcome: 'The text is in the input again.',
    async run(page, server) {
      server.onChat(reply());
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.input.fill('Half a sen');
      await page.reload();
      await expect(page.input).toHaveValue('Half a sen');
    },
  },
  {
    name: 'a message of the page during a turn',
    cause: 'The page calls send() while a reply streams.',
    outcome: 'The message is shown and stored at once, and sent after the reply.',
    async run(page, server) {
      const replies: (() => void)[] = [];
      server.onChat((call) => {
        call.startStream().delta('Half');
        replies.push(() => call.end());
      }, reply('Two'));
      await page.send('Hi');
      await page.element.locator('.agent .text').waitFor();
      await page.page.evaluate(() => void document.querySelector('workspace-chat')!.send('From the page'));
      await expect(page.element.locator('.visitor')).toHaveCount(2);
      await expect
        .poll(() => page.stored())
        .toEqual(['visitor confirmed: Hi', 'ai interrupted: Half', 'visitor unsent: From the page', 'no credentials']);
      replies[0]!();
      await page.element.getByText('Two', { exact: true }).waitFor();
      await page.expectChatCalls(2);
    },
  },
  ...Object.entries({
    hang: () => {},
    'cannot be loaded': (route: Route) => route.abort(),
    'are empty': (route: Route) => route.fulfill({ contentType: 'text/javascript', body: '' }),
  }).map(([problem, handle]): Fault => ({
    name: `the extras ${problem}`,
    cause: `Of the files, only those that a conversation needs arrive as they are: the others ${problem}.`,
    outcome:
      'A rejected message has its reason and its buttons, the next one gets its reply, and `reset()` erases both.',
    page: { hasFakeClock: true },
    async run(page, server) {
      let requests = 0;
      await page.context.route(extras, (route) => {
        requests++;
        return handle(route);
      });
      await page.reload();
      await page.page.evaluate(usesExtras);
      server.onChat(rejected, reply('Read&ogon;'));
      await page.send('Hi');
      await expect(page.element.getByText('Not sent')).toBeVisible();
      await page.waitForButton('Send again');
      await page.waitForButton('Edit');
      await page.expectStored('visitor unsent: Hi', 'no credentials');
      await page.button('Send again').click();
      // The standalone build has the names of all characters.
      await page.element.getByText(isStandalone ? 'Read˛' : 'Read&ogon;', { exact: true }).waitFor();
      // A pattern that matches no file would make this a test of a page without faults. The standalone build loads no files.
      expect(requests > 0).toBe(!isStandalone);
      await page.expectChatCalls(2);
      await page.page.evaluate(() => void document.querySelector('workspace-chat')!.reset());
      await page.expectTranscript();
      await page.expectErased();
    },
  })),
  {
    name: 'unsent text after the end of the conversation',
    cause: 'One message was rejected, one is not confirmed, and then the service ends the conversation.',
    outcome: 'Both messages stay, also after a reload.',
    async run(page, server) {
      server.onChat(
        reply(),
        rejected,
        resetConnection,
        errorResponse(410, 'conversation_expired'),
        reply('Welcome', anew),
      );
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.send('Rejected');
      await page.button('Edit').waitFor();
      await page.send('Doubtful');
      await expect(page.button('Edit')).toHaveCount(2);
      await page.send('More');
      await page.element.getByText('Welcome', { exact: true }).waitFor();
      await page.expectChatCalls(5);
      await poll(() => page.stored()).toContain('ai whole: Welcome');
      await page.reload();
      await expect(page.element.getByText('Not sent')).toHaveCount(1);
      await expect(page.element.getByText('Not confirmed')).toHaveCount(1);
      await expect(page.element.getByText('Welcome', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'a text typed after the 24 hours',
    cause: 'The page stays open for more than a day. Then the visitor types a text and reloads the page.',
    outcome: 'The text is in the input again.',
    page: { hasFakeClock: true },
    async run(page, server) {
      server.onChat(reply());
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      await page.fastForward(25 * 3_600_000);
      await page.input.fill('The day after');
      await page.reload();
      await expect(page.input).toHaveValue('The day after');
    },
  },
  {
    name: 'a sent draft in another tab',
    cause: 'A text is typed in one tab, another tab is opened, and the text is sent.',
    outcome: 'The text is not in the other tab’s input, also not after a reload.',
    async run(page, server) {
      server.onChat(reply());
      await page.input.fill('Hi');
      const tab = await page.openTab();
      await expect(tab.input).toHaveValue('');
      await page.input.press('Enter');
      await page.expectTranscript(...whole);
      await tab.expectTranscript(...whole);
      await expect(tab.input).toHaveValue('');
      for (const each of [tab, page]) {
        await each.reload();
        await expect(each.input).toHaveValue('');
      }
    },
  },
];
