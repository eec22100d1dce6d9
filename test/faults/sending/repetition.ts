/** Faults after which a call is repeated: by the visitor, or by the widget under the same Idempotency-Key. */
import { expect } from '@playwright/test';
import { started } from '../../support/fakes/fake-service.ts';
import type { Fault } from '../../support/pages/fault.ts';
import { poll } from '../../support/poll.ts';
import type { HostileServer, CallHandler } from '../../support/servers/hostile-server.ts';
import { reply, resetConnection, holdCall, errorResponse, noResponse } from '../../support/servers/server-faults.ts';
import { whole, storedWhole, again } from '../expected.ts';

const plain = { attributes: { streaming: 'off' } };

const keys = ({ chatCalls }: HostileServer) => chatCalls.map(({ headers }) => headers.get('idempotency-key'));

/** A plain call that the widget repeats until there is a response. */
const repeatFault = (name: string, cause: string, ...handlers: CallHandler[]): Fault => ({
  name: `plain call: ${name}`,
  cause,
  outcome: 'A banner says that the widget tries again, then the reply is rendered once.',
  page: { ...plain, hasFakeClock: true },
  async run(page, server) {
    server.onChat(...handlers, reply());
    await page.send('Hi');
    for (let count = 1; count <= handlers.length; count++) {
      await server.waitForCalls(count);
      if (handlers[count - 1] === noResponse) await page.fastForward(61_000);
      await page.banner.waitFor();
      await page.expectStored('visitor sending: Hi', 'no credentials');
      await page.fastForward(35_000);
    }
    await page.expectTranscript(...whole);
    await page.expectStored(...storedWhole);
    await poll(() => new Set(keys(server)).size).toBe(1);
    await poll(() => new Set(server.chatCalls.map(({ body }) => body)).size).toBe(1);
    await page.expectChatCalls(handlers.length + 1);
  },
});

export const repetitionFaults: Fault[] = [
  {
    name: 'response lost after the message was accepted',
    cause: 'The service accepts the message, and the connection is lost before its response.',
    outcome:
      'The message is marked “Not confirmed”, with “Send again”. Nothing is sent automatically, even after a reload.',
    async run(page, server) {
      const held = holdCall();
      server.onChat(held.handler, reply());
      await page.send('Hi');
      await page.expectStored('visitor sending: Hi', 'no credentials');
      (await held.call).reset();
      const shown = `visitor: Hi — Not confirmed The connection failed. ${again}`;
      await page.expectTranscript(shown);
      await page.expectStored('visitor unconfirmed: Hi', 'no credentials');
      await page.reload();
      await page.expectTranscript(shown);
      await page.expectChatCalls(1);
      await page.button('Send again').click();
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      await page.expectChatCalls(2);
    },
  },
  {
    name: 'edited instead of sent again',
    cause: 'The message was refused, and the visitor wants to change it.',
    outcome: 'The text returns to the input, and the changed message is sent once.',
    async run(page, server) {
      server.onChat(errorResponse(422, 'validation_error'), reply());
      await page.send('Hi!');
      await page.waitUntilIdle();
      await page.button('Edit').click();
      await expect(page.input).toHaveValue('Hi!');
      await page.expectTranscript();
      await page.send('Hi');
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      await page.expectChatCalls(2);
    },
  },
  repeatFault('cut twice', 'The connection is reset before the response, twice.', resetConnection, resetConnection),
  repeatFault('502 with HTML', 'A proxy responds instead of the service.', (call) =>
    call.respond(502, 'text/html', '<h1>Bad gateway</h1>'),
  ),
  repeatFault('no response', 'There is no response for a minute.', noResponse),
  repeatFault(
    'still running',
    'The repeated call arrives while the first one is still in progress.',
    resetConnection,
    errorResponse(409, 'idempotency_in_progress'),
  ),
  repeatFault(
    'refused after it may have arrived',
    'The repeated call is refused with 429, so the first call may still have been accepted.',
    resetConnection,
    errorResponse(429, 'rate_limited', { 'retry-after': '3' }),
  ),
  {
    name: 'plain call: no response at all',
    cause: 'The connection of every attempt is reset.',
    outcome:
      'After five attempts the message is marked “Not confirmed”. “Send again” repeats the call under the same key.',
    page: { ...plain, hasFakeClock: true },
    async run(page, server) {
      server.onChat(resetConnection, resetConnection, resetConnection, resetConnection, resetConnection, reply());
      await page.send('Hi');
      for (let count = 1; count < 5; count++) {
        await server.waitForCalls(count);
        await page.banner.waitFor();
        await page.fastForward(35_000);
      }
      await page.expectTranscript(`visitor: Hi — Not confirmed The connection failed. ${again}`);
      await page.expectStored('visitor unconfirmed: Hi', 'no credentials');
      await page.button('Send again').click();
      await page.expectTranscript(...whole);
      await page.expectStored(...storedWhole);
      await page.expectChatCalls(6);
      await poll(() => new Set(keys(server)).size).toBe(1);
    },
  },
  {
    name: 'plain call: replayed without a token',
    cause: 'The response to the repeated call is a replay without the token.',
    outcome: 'The reply is rendered. An id without a token is not stored.',
    page: { ...plain, hasFakeClock: true },
    async run(page, server) {
      server.onChat(resetConnection, (call) =>
        call.respond(200, 'application/json', JSON.stringify({ ...started(), conversation_token: null })),
      );
      await page.send('Hi');
      await page.banner.waitFor();
      await page.fastForward(35_000);
      await page.expectTranscript(...whole);
      await page.expectStored('visitor confirmed: Hi', 'ai whole: Hello there', 'no credentials');
      await page.expectChatCalls(2);
    },
  },
];
