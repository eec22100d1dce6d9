/** Faults in which what a visitor has typed could be lost. */
import { expect } from '@playwright/test';
import type { Fault } from '../../support/pages/fault.ts';
import { errorResponse, reply } from '../../support/servers/server-faults.ts';
import { whole } from '../expected.ts';

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
];
