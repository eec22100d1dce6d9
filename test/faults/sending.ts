/** Faults of sending: repeated input, missing network, rate limits and refusals. */
import { expect } from '@playwright/test';
import { poll } from '../support/poll.ts';
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage } from '../support/pages/fault-page.ts';
import type { HostileServer, CallHandler } from '../support/servers/hostile-server.ts';
import { reply, resetConnection, holdCall, errorResponse, noResponse } from '../support/servers/server-faults.ts';
import { started } from '../support/fakes/fake-service.ts';

const again = '[Send again] [Edit]';
const whole = ['visitor: Hi', 'assistant: Hello there'];
const storedWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'credentials cnv_1'];

const bodies = ({ chatCalls }: HostileServer) =>
  chatCalls.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

/** Sends “Hi” in a certain way. The message must arrive once. */
const onceFault = (name: string, cause: string, send: (page: FaultPage) => Promise<void>): Fault => ({
  name,
  cause,
  outcome: 'The message is sent once, and its reply is rendered once.',
  async run(page, server) {
    server.onChat(reply());
    await page.input.fill('Hi');
    await send(page);
    await page.expectTranscript(...whole);
    await page.expectStored(...storedWhole);
    await page.expectChatCalls(1);
  },
});

/** An error response in the contract's envelope, which ends the turn. */
const refusalFault = (status: number, code: string, sentence: string): Fault => ({
  name: `${status} ${code}`,
  cause: `The service refuses the message with the code ${code}.`,
  outcome: `“Not sent. ${sentence}” The text is kept, and nothing is sent automatically.`,
  async run(page, server) {
    server.onChat(errorResponse(status, code), reply());
    await page.send('Hi');
    await page.waitUntilIdle();
    await page.expectTranscript(`visitor: Hi — Not sent ${sentence} ${again}`);
    await page.expectStored('visitor unsent: Hi', 'no credentials');
    await page.expectChatCalls(1);
    await page.button('Send again').click();
    await page.expectTranscript(...whole);
    await page.expectChatCalls(2);
  },
});

/** The service is busy. The widget waits for about `expected` seconds, as `Retry-After` says, and then sends again. */
const countdownFault = (
  status: 429 | 503,
  retryAfter: string,
  header: (now: number) => string | null,
  expected: number,
): Fault => ({
  name: `${status}, ${retryAfter}`,
  cause: `The service is busy; its Retry-After is ${retryAfter}.`,
  outcome: `A countdown of about ${expected} seconds, then the reply.`,
  page: { hasFakeClock: true },
  async run(page, server) {
    const now = await page.page.evaluate(() => Date.now());
    const value = header(now);
    const code = status === 429 ? 'rate_limited' : 'identity_unavailable';
    server.onChat(errorResponse(status, code, value === null ? {} : { 'retry-after': value }), reply());
    await page.send('Hi');
    const banner = page.banner;
    await banner.waitFor();
    const text = await banner.innerText();
    const seconds = Number(/(\d+) second/.exec(text)?.[1]);
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

/** The service has ended the stored conversation. */
const overFault = (status: number, code: string): Fault => ({
  name: `${status} ${code}`,
  cause: 'The service has ended the conversation when the visitor writes again.',
  outcome:
    '“The previous conversation has ended. This is a new one.”, and the reply. The visitor does not type the message again.',
  async run(page, server) {
    server.onChat(
      reply(),
      errorResponse(status, code),
      reply('Anew', { conversation_id: 'cnv_2', conversation_token: 'tok_2' }),
    );
    await page.send('Hi');
    await page.expectTranscript(...whole);
    await page.send('More');
    await page.expectTranscript(
      ...whole,
      '(The previous conversation has ended. This is a new one.)',
      'visitor: More',
      'assistant: Anew',
    );
    await page.expectStored('notice restarted', 'visitor confirmed: More', 'ai whole: Anew', 'credentials cnv_2');
    await poll(() => bodies(server).map(({ conversation_id }) => conversation_id)).toEqual([
      undefined,
      'cnv_1',
      undefined,
    ]);
  },
});

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

const press = (code: number, isComposing: boolean) => (page: FaultPage) =>
  page.input.evaluate(
    (input, [keyCode, composing]) => {
      const event = new KeyboardEvent('keydown', {
        key: 'Enter',
        bubbles: true,
        cancelable: true,
        isComposing: composing,
      });
      Object.defineProperty(event, 'keyCode', { value: keyCode });
      input.dispatchEvent(event);
    },
    [code, isComposing] as const,
  );

const sendTwice = async (page: FaultPage, how: string) =>
  page.element.evaluate((element, script) => {
    const root = element.shadowRoot!;
    const button = root.querySelector<HTMLElement>('button.send')!;
    const input = root.querySelector('textarea')!;
    const enter = () =>
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    for (const step of script) {
      if (step === 'c') button.click();
      else enter();
    }
  }, how);

export const sendingFaults: FaultGroup = {
  title: 'sending',
  faults: [
    onceFault('double click', 'The button is clicked twice at once.', (page) => sendTwice(page, 'cc')),
    onceFault('a slower double click', 'The visitor double-clicks the button.', async (page) => {
      await page.element.locator('button.send').dblclick();
    }),
    onceFault('Enter twice', 'Enter is pressed twice at once, and then the button is clicked.', (page) =>
      sendTwice(page, 'eec'),
    ),
    onceFault('Enter of an input method', 'Enter ends a composition, then Enter sends.', async (page) => {
      await press(229, true)(page);
      await press(13, true)(page);
      await press(13, false)(page);
    }),
    onceFault(
      'Enter of an input method in Safari',
      'The composition has ended, but the key code is still 229.',
      async (page) => {
        await press(229, false)(page);
        await press(13, false)(page);
      },
    ),
    {
      name: 'offline before sending',
      cause: 'The device is offline.',
      outcome: '“You’re offline. Your message will be sent when you’re back online.” Then the message is sent once.',
      async run(page, server) {
        server.onChat(reply());
        await page.context.setOffline(true);
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
        await page.context.setOffline(true);
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
    {
      name: 'offline, in Arabic',
      cause: 'The device is offline, and the locale is Arabic.',
      outcome: 'The banner shows the sentence in Arabic.',
      page: { attributes: { locale: 'ar' } },
      async run(page, server) {
        server.onChat(reply());
        await page.context.setOffline(true);
        await page.send('Hi');
        await page.expectBanner('لا يوجد اتصال بالإنترنت. ستُرسل رسالتك فور عودة الاتصال.');
        await page.context.setOffline(false);
        await page.expectTranscript(...whole);
        await page.expectStored(...storedWhole);
        await page.expectChatCalls(1);
      },
    },
    countdownFault(429, 'in seconds', () => '12', 12),
    countdownFault(429, 'a date', (now) => new Date(now + 20_000).toUTCString(), 20),
    countdownFault(429, 'absent', () => null, 5),
    countdownFault(429, 'negative', () => '-7', 5),
    countdownFault(429, 'garbage', () => 'soon, inshallah', 5),
    countdownFault(429, 'absurd', () => '99999999999', 300),
    countdownFault(503, 'in seconds', () => '9', 9),
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
    refusalFault(401, 'unauthorized', 'The chat is not available on this page right now.'),
    refusalFault(402, 'plan_required', 'The chat is not available on this page right now.'),
    refusalFault(403, 'insufficient_scope', 'The chat is not available on this page right now.'),
    refusalFault(404, 'not_found', 'The chat is not available on this page right now.'),
    refusalFault(409, 'agent_unavailable', 'The assistant is paused at the moment. Your message stays here.'),
    refusalFault(413, 'body_too_large', 'The message is too long. Shorten it and send it again.'),
    refusalFault(422, 'validation_error', 'The message was not accepted. Change it and send it again.'),
    refusalFault(500, 'internal_error', 'Something went wrong on our side. Your message was not sent.'),
    refusalFault(418, 'a_code_of_the_future', 'About a_code_of_the_future'),
    overFault(410, 'conversation_expired'),
    overFault(404, 'conversation_not_found'),
    {
      name: 'ended, twice in a row',
      cause: 'The service says that the new conversation has ended, too.',
      outcome: 'One new conversation is tried, then the message is marked “Not sent”. There is no loop.',
      async run(page, server) {
        server.onChat(reply(), errorResponse(410, 'conversation_expired'), errorResponse(410, 'conversation_expired'));
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.send('More');
        await page.waitUntilIdle();
        await page.expectTranscript(
          ...whole,
          '(The previous conversation has ended. This is a new one.)',
          `visitor: More — Not sent About conversation_expired ${again}`,
        );
        await page.expectStored('notice restarted', 'visitor unsent: More', 'no credentials');
        await page.expectChatCalls(3);
      },
    },
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
        const shown = (why: string) => `visitor: Hi — Not confirmed ${why}${again}`;
        await page.expectTranscript(shown('We couldn’t confirm that your message arrived. '));
        await page.expectStored('visitor unconfirmed: Hi', 'no credentials');
        await page.reload();
        await page.expectTranscript(shown(''));
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
        await page.expectTranscript(
          `visitor: Hi — Not confirmed We couldn’t confirm that your message arrived. ${again}`,
        );
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
    {
      name: 'Stop during a reply',
      cause: 'The visitor stops a reply when the credentials are known.',
      outcome: 'The received part stays, marked “Stopped”, and the connection is closed.',
      async run(page, server) {
        const held = holdCall();
        server.onChat(reply(), held.handler);
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await page.send('More');
        const call = await held.call;
        call.startStream().delta('Half');
        await page.element.locator('.agent .text').nth(1).waitFor();
        await page.button('Stop').click();
        await call.closed();
        await page.expectTranscript(...whole, 'visitor: More', 'assistant: Half — Stopped');
        await page.expectStored(
          ...storedWhole.slice(0, 2),
          'visitor confirmed: More',
          'ai stopped: Half',
          'credentials cnv_1',
        );
        await page.expectChatCalls(2);
      },
    },
    {
      name: 'Stop during the first reply',
      cause: 'The visitor stops the first reply before the credentials are known.',
      outcome:
        'The received part stays, marked “Stopped”. The next message waits for the credentials and continues the conversation.',
      async run(page, server) {
        const held = holdCall();
        server.onChat(held.handler, reply('Again'));
        await page.send('Hi');
        const call = await held.call;
        call.startStream().delta('Half');
        await page.element.locator('.agent .text').waitFor();
        await page.button('Stop').click();
        await page.expectTranscript('visitor: Hi', 'assistant: Half — Stopped');
        await page.send('More');
        await page.expectBanner('Finishing the previous reply first…');
        call.event('done', started()).end();
        await page.expectTranscript('visitor: Hi', 'assistant: Half — Stopped', 'visitor: More', 'assistant: Again');
        await page.expectStored(
          'visitor confirmed: Hi',
          'ai stopped: Half',
          'visitor confirmed: More',
          'ai whole: Again',
          'credentials cnv_1',
        );
        await poll(() => bodies(server).map(({ conversation_id }) => conversation_id)).toEqual([undefined, 'cnv_1']);
      },
    },
  ],
};
