/** Faults of a busy service: the widget waits and sends again. */
import { expect } from '@playwright/test';
import type { Fault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import { reply, errorResponse } from '../../support/servers/server-faults.ts';
import { whole, storedWhole, again } from '../expected.ts';

/** The service is busy. The widget waits for about `expected` seconds, as `Retry-After` says, and then sends again. */
const countdownFault = (retryAfter: string, header: (now: number) => string | null, expected: number): Fault => ({
  name: `429, ${retryAfter}`,
  cause: `The service is busy; its Retry-After is ${retryAfter}.`,
  outcome: `A countdown of about ${expected} seconds, then the reply.`,
  page: { hasFakeClock: true },
  async run(page, server) {
    const now = await page.page.evaluate(() => Date.now());
    const value = header(now);
    server.onChat(errorResponse(429, 'rate_limited', value === null ? {} : { 'retry-after': value }), reply());
    await page.send('Hi');
    const banner = page.banner;
    await banner.waitFor();
    const text = await banner.innerText();
    const [, number, unit] = /(\d+) (second|minute)/.exec(text) ?? [];
    const seconds = Number(number) * (unit === 'minute' ? 60 : 1);
    expect(Math.abs(seconds - expected), text).toBeLessThanOrEqual(1);
    await page.expectStored('visitor unsent: Hi', 'no credentials');
    await page.fastForward((expected - 3) * 1000);
    await page.expectChatCalls(1);
    await page.fastForward(5_000);
    await page.expectTranscript(...whole);
    await page.expectStored(...storedWhole);
    await page.expectBanner(null);
    await page.expectChatCalls(2);
  },
});

export const rateLimitFaults: Fault[] = [
  countdownFault('in seconds', () => '12', 12),
  countdownFault('absent', () => null, 5),
  countdownFault('absurd', () => '99999999999', 300),
  {
    name: '429 without end',
    cause: 'The service refuses every attempt with 429.',
    outcome: 'After six refusals: “Not sent”, with the sentence and “Send again”.',
    page: { hasFakeClock: true },
    async run(page, server) {
      server.onChat(...Array.from({ length: 6 }, () => errorResponse(429, 'rate_limited', { 'retry-after': '2' })));
      await page.send('Hi');
      for (let count = 1; count <= 5; count++) {
        await server.waitForCalls(count);
        await page.banner.waitFor();
        await poll(
          async () =>
            (await page.record())?.messages[0]?.role === 'user' &&
            (await page.element.evaluate((element) => element.shadowRoot!.querySelector('.banner') !== null)),
        ).toBe(true);
        await page.fastForward(4_000);
      }
      await page.expectTranscript(
        `visitor: Hi — Not sent You’re sending messages quickly. Send your message again in a few minutes. ${again}`,
      );
      await page.expectStored('visitor unsent: Hi', 'no credentials');
      await page.expectChatCalls(6);
    },
  },
];
