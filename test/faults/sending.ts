/** Sending: whatever the visitor's fingers, the limits and the refusals do to one message. */
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage } from '../support/pages/fault-page.ts';
import type { HostileServer, Misdeed } from '../support/servers/hostile-server.ts';
import { answered, cut, held, refused, silence } from '../support/servers/server-faults.ts';
import { started } from '../support/fakes/fake-service.ts';

const again = '[Send again] [Edit]';
const whole = ['visitor: Hi', 'agent: Hello there'];
const keptWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'pair cnv_1'];

const bodies = ({ posts }: HostileServer) => posts.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

/** Sends “Hi” in some way, which must arrive once. */
const onceFault = (name: string, about: string, send: (page: FaultPage) => Promise<void>): Fault => ({
  name,
  about,
  sees: 'The message once, and its answer once.',
  async prove(page, server) {
    server.answer(answered());
    await page.input.fill('Hi');
    await send(page);
    await page.shows(...whole);
    await page.keeps(...keptWhole);
    await page.until(async () => server.posts.length, 1);
  },
});

/** An answer in the contract's envelope that ends the turn. */
const refusalFault = (status: number, code: string, sentence: string): Fault => ({
  name: `${status} ${code}`,
  about: `The service refuses the message: ${code}.`,
  sees: `“Not sent. ${sentence}” The text is kept, and nothing is sent by itself.`,
  async prove(page, server) {
    server.answer(refused(status, code), answered());
    await page.send('Hi');
    await page.settled();
    await page.shows(`visitor: Hi — Not sent ${sentence} ${again}`);
    await page.keeps('visitor unsent: Hi', 'no pair');
    await page.until(async () => server.posts.length, 1);
    await page.button('Send again').click();
    await page.shows(...whole);
    await page.until(async () => server.posts.length, 2);
  },
});

/** The service asks for patience by `Retry-After`, which is then `seconds` long as the visitor is told. */
const patienceFault = (
  status: 429 | 503,
  about: string,
  header: (now: number) => string | null,
  told: number,
): Fault => ({
  name: `${status}, ${about}`,
  about: `The service is busy; its Retry-After is ${about}.`,
  sees: `A countdown of about ${told} seconds, then the answer.`,
  page: { clock: true },
  async prove(page, server) {
    const now = await page.page.evaluate(() => Date.now());
    const value = header(now);
    const code = status === 429 ? 'rate_limited' : 'identity_unavailable';
    server.answer(refused(status, code, value === null ? {} : { 'retry-after': value }), answered());
    await page.send('Hi');
    const banner = page.element.locator('.banner');
    await banner.waitFor();
    const text = await banner.innerText();
    const seconds = Number(/(\d+) second/.exec(text)?.[1]);
    await page.until(async () => (seconds >= told - 1 && seconds <= told + 1 ? 'about right' : text), 'about right');
    await page.keeps('visitor unsent: Hi', 'no pair');
    await page.pass((told - 3) * 1000);
    await page.until(async () => server.posts.length, 1);
    await page.pass(5_000);
    await page.shows(...whole);
    await page.keeps(...keptWhole);
    await page.banner(null);
    await page.until(async () => server.posts.length, 2);
  },
});

/** The stored conversation is over, as the answer to its next message tells. */
const overFault = (status: number, code: string): Fault => ({
  name: `${status} ${code}`,
  about: 'The conversation is over on the service’s side when the visitor writes again.',
  sees: '“The previous conversation has ended. This is a new one.”, and the answer; nothing is typed again.',
  async prove(page, server) {
    server.answer(
      answered(),
      refused(status, code),
      answered('Anew', { conversation_id: 'cnv_2', conversation_token: 'tok_2' }),
    );
    await page.send('Hi');
    await page.shows(...whole);
    await page.send('More');
    await page.shows(
      ...whole,
      '(The previous conversation has ended. This is a new one.)',
      'visitor: More',
      'agent: Anew',
    );
    await page.keeps('notice restarted', 'visitor confirmed: More', 'ai whole: Anew', 'pair cnv_2');
    await page.until(
      async () => bodies(server).map(({ conversation_id }) => conversation_id),
      [undefined, 'cnv_1', undefined],
    );
  },
});

const plain = { attributes: { streaming: 'off' } };
const keys = ({ posts }: HostileServer) => posts.map(({ headers }) => headers.get('idempotency-key'));

/** A plain call that is repeated by itself until it is answered. */
const repeatFault = (name: string, about: string, ...misdeeds: Misdeed[]): Fault => ({
  name: `plain call: ${name}`,
  about,
  sees: '“No answer yet. Trying again …”, then the answer, once.',
  page: { ...plain, clock: true },
  async prove(page, server) {
    server.answer(...misdeeds, answered());
    await page.send('Hi');
    for (let count = 1; count <= misdeeds.length; count++) {
      await server.received(count);
      if (misdeeds[count - 1] === silence) await page.pass(61_000);
      await page.element.locator('.banner').waitFor();
      await page.keeps('visitor sending: Hi', 'no pair');
      await page.pass(35_000);
    }
    await page.shows(...whole);
    await page.keeps(...keptWhole);
    await page.until(async () => new Set(keys(server)).size, 1);
    await page.until(async () => new Set(server.posts.map(({ body }) => body)).size, 1);
    await page.until(async () => server.posts.length, misdeeds.length + 1);
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
    onceFault('a slower double click', 'The button is clicked twice as fingers do.', async (page) => {
      await page.element.locator('button.send').dblclick();
    }),
    onceFault('Enter twice', 'Enter is pressed twice at once, and the button after it.', (page) =>
      sendTwice(page, 'eec'),
    ),
    onceFault('Enter of an input method', 'Enter ends a composition, then Enter sends.', async (page) => {
      await press(229, true)(page);
      await press(13, true)(page);
      await press(13, false)(page);
    }),
    onceFault(
      'Enter of an input method in Safari',
      'The composition is over, and the key code is still 229.',
      async (page) => {
        await press(229, false)(page);
        await press(13, false)(page);
      },
    ),
    {
      name: 'offline before sending',
      about: 'The device says that it is offline.',
      sees: '“You’re offline. Your message will be sent when you’re back online.” Then it does, once.',
      async prove(page, server) {
        server.answer(answered());
        await page.context.setOffline(true);
        await page.send('Hi');
        await page.banner('You’re offline. Your message will be sent when you’re back online.');
        await page.keeps('visitor unsent: Hi', 'no pair');
        await page.until(async () => server.posts.length, 0);
        await page.context.setOffline(false);
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.banner(null);
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'offline, then taken back',
      about: 'The visitor stops a message that waits for the network.',
      sees: 'The text is in the input again, and nothing was sent.',
      async prove(page, server) {
        await page.context.setOffline(true);
        await page.send('Hi');
        await page.banner('You’re offline. Your message will be sent when you’re back online.');
        await page.button('Stop').click();
        await page.shows();
        await page.until(() => page.input.inputValue(), 'Hi');
        await page.context.setOffline(false);
        await page.keeps('no pair');
        await page.until(async () => server.posts.length, 0);
      },
    },
    {
      name: 'offline, in Arabic',
      about: 'The same in Arabic.',
      sees: 'The same sentence in Arabic.',
      page: { attributes: { locale: 'ar' } },
      async prove(page, server) {
        server.answer(answered());
        await page.context.setOffline(true);
        await page.send('Hi');
        await page.banner('لا يوجد اتصال بالإنترنت. ستُرسل رسالتك فور عودة الاتصال.');
        await page.context.setOffline(false);
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 1);
      },
    },
    patienceFault(429, 'in seconds', () => '12', 12),
    patienceFault(429, 'a date', (now) => new Date(now + 20_000).toUTCString(), 20),
    patienceFault(429, 'absent', () => null, 5),
    patienceFault(429, 'negative', () => '-7', 5),
    patienceFault(429, 'garbage', () => 'soon, inshallah', 5),
    patienceFault(429, 'absurd', () => '99999999999', 300),
    patienceFault(503, 'in seconds', () => '9', 9),
    {
      name: '429 without end',
      about: 'The service refuses every attempt for its rate.',
      sees: 'After six refusals: “Not sent”, with the sentence and “Send again”.',
      page: { clock: true },
      async prove(page, server) {
        server.answer(...Array.from({ length: 6 }, () => refused(429, 'rate_limited', { 'retry-after': '2' })));
        await page.send('Hi');
        for (let count = 1; count <= 5; count++) {
          await server.received(count);
          await page.element.locator('.banner').waitFor();
          await page.until(
            async () =>
              (await page.record())?.messages[0]?.role === 'user' &&
              (await page.element.evaluate((element) => element.shadowRoot!.querySelector('.banner') !== null)),
            true,
          );
          await page.pass(4_000);
        }
        await page.shows(
          `visitor: Hi — Not sent You’re sending messages quickly. Send your message again in a few minutes. ${again}`,
        );
        await page.keeps('visitor unsent: Hi', 'no pair');
        await page.until(async () => server.posts.length, 6);
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
      name: 'over, again and again',
      about: 'The new conversation is said to be over as well.',
      sees: 'One new beginning, then “Not sent”: no loop.',
      async prove(page, server) {
        server.answer(answered(), refused(410, 'conversation_expired'), refused(410, 'conversation_expired'));
        await page.send('Hi');
        await page.shows(...whole);
        await page.send('More');
        await page.settled();
        await page.shows(
          ...whole,
          '(The previous conversation has ended. This is a new one.)',
          `visitor: More — Not sent About conversation_expired ${again}`,
        );
        await page.keeps('notice restarted', 'visitor unsent: More', 'no pair');
        await page.until(async () => server.posts.length, 3);
      },
    },
    {
      name: 'answer lost after it was accepted',
      about: 'The service takes the message, and the connection is lost before its answer.',
      sees: '“Not confirmed”, with “Send again”; nothing is sent by itself, also after a reload.',
      async prove(page, server) {
        const call = held();
        server.answer(call.misdeed, answered());
        await page.send('Hi');
        await page.keeps('visitor sending: Hi', 'no pair');
        (await call.exchange).reset();
        const shown = (why: string) => `visitor: Hi — Not confirmed ${why}${again}`;
        await page.shows(shown('We couldn’t confirm that your message arrived. '));
        await page.keeps('visitor unconfirmed: Hi', 'no pair');
        await page.reload();
        await page.shows(shown(''));
        await page.until(async () => server.posts.length, 1);
        await page.button('Send again').click();
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 2);
      },
    },
    {
      name: 'edited instead of sent again',
      about: 'The message was refused, and the visitor wants to change it.',
      sees: 'The text is in the input again; the changed message is sent once.',
      async prove(page, server) {
        server.answer(refused(422, 'validation_error'), answered());
        await page.send('Hi!');
        await page.settled();
        await page.button('Edit').click();
        await page.until(() => page.input.inputValue(), 'Hi!');
        await page.shows();
        await page.send('Hi');
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 2);
      },
    },
    repeatFault('cut twice', 'The connection is reset before the answer, twice.', cut, cut),
    repeatFault('502 with HTML', 'A proxy answers in the service’s place.', (exchange) =>
      exchange.reply(502, 'text/html', '<h1>Bad gateway</h1>'),
    ),
    repeatFault('no answer', 'Nothing comes back for a minute.', silence),
    repeatFault(
      'still running',
      'The repetition meets the first call at work.',
      cut,
      refused(409, 'idempotency_in_progress'),
    ),
    repeatFault(
      'refused after it may have arrived',
      'The repetition is refused for its rate, so that the first call may still have been taken.',
      cut,
      refused(429, 'rate_limited', { 'retry-after': '3' }),
    ),
    {
      name: 'plain call: never answered',
      about: 'Every attempt is cut.',
      sees: 'After five attempts “Not confirmed”; “Send again” is the same call, under the same key.',
      page: { ...plain, clock: true },
      async prove(page, server) {
        server.answer(cut, cut, cut, cut, cut, answered());
        await page.send('Hi');
        for (let count = 1; count < 5; count++) {
          await server.received(count);
          await page.element.locator('.banner').waitFor();
          await page.pass(35_000);
        }
        await page.shows(`visitor: Hi — Not confirmed We couldn’t confirm that your message arrived. ${again}`);
        await page.keeps('visitor unconfirmed: Hi', 'no pair');
        await page.button('Send again').click();
        await page.shows(...whole);
        await page.keeps(...keptWhole);
        await page.until(async () => server.posts.length, 6);
        await page.until(async () => new Set(keys(server)).size, 1);
      },
    },
    {
      name: 'plain call: replayed without a token',
      about: 'The repetition is answered by a replay that keeps the token to itself.',
      sees: 'The answer; half a pair is not kept.',
      page: { ...plain, clock: true },
      async prove(page, server) {
        server.answer(cut, (exchange) =>
          exchange.reply(200, 'application/json', JSON.stringify({ ...started(), conversation_token: null })),
        );
        await page.send('Hi');
        await page.element.locator('.banner').waitFor();
        await page.pass(35_000);
        await page.shows(...whole);
        await page.keeps('visitor confirmed: Hi', 'ai whole: Hello there', 'no pair');
        await page.until(async () => server.posts.length, 2);
      },
    },
    {
      name: 'Stop in mid-answer',
      about: 'The visitor stops the answer of a conversation that is known.',
      sees: 'The part that came, marked “Stopped”; the call is hung up.',
      async prove(page, server) {
        const call = held();
        server.answer(answered(), call.misdeed);
        await page.send('Hi');
        await page.shows(...whole);
        await page.send('More');
        const exchange = await call.exchange;
        exchange.stream().delta('Half');
        await page.element.locator('.agent .text').nth(1).waitFor();
        await page.button('Stop').click();
        await exchange.hungUp();
        await page.shows(...whole, 'visitor: More', 'agent: Half — Stopped');
        await page.keeps(...keptWhole.slice(0, 2), 'visitor confirmed: More', 'ai stopped: Half', 'pair cnv_1');
        await page.until(async () => server.posts.length, 2);
      },
    },
    {
      name: 'Stop in the first answer',
      about: 'The visitor stops before the conversation’s id is known.',
      sees: 'The part that came, marked “Stopped”; the next message waits for the rest and continues the conversation.',
      async prove(page, server) {
        const call = held();
        server.answer(call.misdeed, answered('Again'));
        await page.send('Hi');
        const exchange = await call.exchange;
        exchange.stream().delta('Half');
        await page.element.locator('.agent .text').waitFor();
        await page.button('Stop').click();
        await page.shows('visitor: Hi', 'agent: Half — Stopped');
        await page.send('More');
        await page.banner('Finishing the previous reply first…');
        exchange.event('done', started()).end();
        await page.shows('visitor: Hi', 'agent: Half — Stopped', 'visitor: More', 'agent: Again');
        await page.keeps(
          'visitor confirmed: Hi',
          'ai stopped: Half',
          'visitor confirmed: More',
          'ai whole: Again',
          'pair cnv_1',
        );
        await page.until(
          async () => bodies(server).map(({ conversation_id }) => conversation_id),
          [undefined, 'cnv_1'],
        );
      },
    },
  ],
};
