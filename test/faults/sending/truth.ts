/** Faults after which the chat must say what is really the case. */
import { expect } from '@playwright/test';
import type { Fault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import { errorResponse, holdCall, reply, resetConnection } from '../../support/servers/server-faults.ts';
import { bodies, ids, whole } from '../expected.ts';
import { anew, identify, person } from '../identity/visitor.ts';

const offline = 'You’re offline. Your message will be sent when you’re back online.';

export const truthFaults: Fault[] = [
  {
    name: 'offline and identified at the first message',
    cause: 'The device is offline when a verified visitor sends the first message.',
    outcome: `“${offline}” Then the message is sent once, with the proof.`,
    async run(page, server) {
      await identify(page, person('amal'));
      server.onChat(reply());
      await page.goOffline();
      await page.send('Hi');
      await page.expectBanner(offline);
      await page.context.setOffline(false);
      await page.expectTranscript(...whole);
      await page.expectChatCalls(1);
      expect(bodies(server)[0]!.contact).toEqual({ user_id: 'amal', user_hash: 'hash-of-amal' });
    },
  },
  {
    name: 'the first reply is cut before the credentials',
    cause: 'The connection is lost during the first reply, before the service has named the conversation.',
    outcome: 'A notice says that the next message starts a new conversation.',
    async run(page, server) {
      server.onChat((call) => call.startStream().delta('Half').end(), reply('Welcome', anew));
      await page.send('Hi');
      await page.waitUntilIdle();
      await page.expectTranscript(
        'visitor: Hi',
        'assistant: Half — The reply was interrupted. [Ask again]',
        '(The next message starts a new conversation.)',
      );
      await page.send('More');
      await page.element.getByText('Welcome', { exact: true }).waitFor();
      expect(ids(server)).toEqual([undefined, undefined]);
    },
  },
  {
    name: 'a doubtful message is rejected when it is sent again',
    cause: 'The response to a message is lost. The visitor sends the message again, and the service rejects it.',
    outcome: 'The message is still marked “Not confirmed”, since the first copy may have arrived.',
    async run(page, server) {
      server.onChat(resetConnection, errorResponse(422, 'validation_error'));
      await page.send('Hi');
      await page.button('Send again').click();
      await page.expectChatCalls(2);
      await page.waitUntilIdle();
      const [line] = await page.transcript();
      expect(line).toMatch(/^visitor: Hi — Not confirmed .*\[Send again\] \[Edit\]$/);
    },
  },
  {
    name: 'the clock is set back during a countdown',
    cause: 'The device’s clock is set back by a day while a message waits for a busy service.',
    outcome: 'The countdown goes on in seconds.',
    async run(page, server) {
      server.onChat(errorResponse(429, 'rate_limited', { 'retry-after': '20' }));
      await page.send('Hi');
      await page.banner.waitFor();
      const seconds = async () => Number(/in (\d+) seconds/.exec((await page.banner.textContent()) ?? '')?.[1]);
      const before = await seconds();
      await page.page.evaluate(() => {
        const { now } = Date;
        Date.now = () => now() - 86_400_000;
      });
      await poll(async () => (await seconds()) < before).toBe(true);
      // The wait is a little longer than Retry-After.
      expect(before).toBeLessThanOrEqual(25);
      await page.button('Stop').click();
    },
  },
  {
    name: 'nothing arrives for six seconds',
    cause: 'The service accepts the message, and sends nothing for some time.',
    outcome: '“Still working on the reply…” until the first words arrive.',
    page: { hasFakeClock: true },
    async run(page, server) {
      const held = holdCall();
      server.onChat(held.handler);
      await page.send('Hi');
      const call = await held.call;
      await page.expectBanner(null);
      await page.fastForward(6_100);
      await page.expectBanner('Still working on the reply…');
      await reply()(call);
      await page.expectTranscript(...whole);
      await page.expectBanner(null);
    },
  },
  {
    name: 'the network comes and goes',
    cause: 'The browser reports that the device is online, although nothing can be sent.',
    outcome: 'The message is not marked “Not confirmed”. It waits, and is sent once.',
    async run(page, server) {
      server.onChat(reply());
      await page.goOffline();
      await page.send('Hi');
      await page.expectBanner(offline);
      await page.page.evaluate(() => dispatchEvent(new Event('online')));
      await page.waitForProbe();
      await page.expectBanner(offline);
      await page.expectTranscript('visitor: Hi');
      await page.context.setOffline(false);
      await page.expectTranscript(...whole);
      await page.expectChatCalls(1);
    },
  },
];
