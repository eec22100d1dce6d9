/** Faults of a device that is offline. */
import { expect } from '@playwright/test';
import type { Fault } from '../../support/pages/fault.ts';
import { reply } from '../../support/servers/server-faults.ts';
import { whole, storedWhole } from '../expected.ts';

export const offlineFaults: Fault[] = [
  {
    name: 'offline before sending',
    cause: 'The device is offline.',
    outcome: '“You’re offline. Your message will be sent when you’re back online.” Then the message is sent once.',
    async run(page, server) {
      server.onChat(reply());
      await page.goOffline();
      await page.send('Hi');
      await page.expectBanner('You’re offline. Your message will be sent when you’re back online.');
      await page.expectStored('visitor unsent: Hi', 'no credentials');
      await page.expectChatCalls(0);
      await page.context.setOffline(false);
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      await page.expectBanner(null);
      await page.expectChatCalls(1);
    },
  },
  {
    name: 'offline, then stopped',
    cause: 'The visitor stops a message that waits for the network.',
    outcome: 'The text returns to the input, and nothing is sent.',
    async run(page) {
      await page.goOffline();
      await page.send('Hi');
      await page.expectBanner('You’re offline. Your message will be sent when you’re back online.');
      await page.button('Stop').click();
      await page.expectTranscript();
      await expect(page.input).toHaveValue('Hi');
      await page.context.setOffline(false);
      await page.expectStored('no credentials');
      await page.expectChatCalls(0);
    },
  },
];
