/** The local service itself, behind a network that spoils its answers. */
import type { Exchange } from '../support/servers/exchange.ts';
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage, PageOptions } from '../support/pages/fault-page.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { faithful, realKeys, startRealService, type RealService, type Spoil } from '../support/servers/real-service.ts';
import { agentId } from '../../service/seed/business.ts';

const question = 'When are you open on Friday?';
const more = 'Do you sell coffee cups?';
const again = '[Send again] [Edit]';
const interrupted = ' — The reply was interrupted. [Ask again]';

let service: RealService;

/** The answer comes back at nobody's: the connection is reset once the service has said everything. */
const lost: Spoil = async (exchange, { body }) => {
  for await (const bytes of body) void bytes;
  exchange.reset();
};

/** Cut after the first words. */
const cutShort: Spoil = async (exchange, { head, body }) => {
  head();
  for await (const bytes of body) {
    exchange.write(bytes);
    if (Buffer.from(bytes).includes('event: delta')) break;
  }
  exchange.end();
};

/** A proxy keeps everything back until the end. */
const buffered: Spoil = async (exchange, { head, body }) => {
  const all: Uint8Array[] = [];
  for await (const bytes of body) all.push(bytes);
  head();
  exchange.write(Buffer.concat(all)).end();
};

/** Seven bytes at a time: in the middle of lines, of words and of letters. */
const crumbled: Spoil = async (exchange, { head, body }) => {
  head();
  for await (const bytes of body) {
    const crumbs = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
      bytes.slice(index * 7, index * 7 + 7),
    );
    await exchange.pieces(crumbs);
  }
  exchange.end();
};

const bodies = ({ posts }: HostileServer) =>
  posts.map(({ body }) => JSON.parse(body) as { conversation_id?: string; stream?: boolean });

/** What is shown is what the service has kept, message by message, without its formatting. */
const showsWhatIsKept = async (page: FaultPage) => {
  const plain = (lines: string[]) => lines.map((line) => line.replace(/[^\p{L}]/gu, '').slice(0, 40));
  await page.settled();
  const kept = plain(await service.messages());
  await page.until(async () => plain(await page.transcript()), kept);
};

/** The first message of a visitor of the real service, and what is done with the answers to it. */
const serviceFault = (
  fault: Pick<Fault, 'name' | 'about' | 'sees'> & { page?: PageOptions },
  prove: (page: FaultPage, server: HostileServer) => Promise<void>,
): Fault => ({
  ...fault,
  page: {
    ...fault.page,
    attributes: {
      'publishable-key': realKeys.publishableKey,
      'agent-id': agentId,
      ...fault.page?.attributes,
    },
  },
  async prove(page, server) {
    service.moveClock(60_000);
    await prove(page, server);
    await page.until(async () => (await page.stored())?.at(-1)?.replace(/ \S+$/, ''), 'pair');
  },
});

const wholeFault = (name: string, about: string, ...spoils: Spoil[]): Fault =>
  serviceFault({ name, about, sees: 'Both answers, as the service has kept them.' }, async (page, server) => {
    server.answer(...spoils.map((spoil) => service.passOn(spoil)));
    await page.send(question);
    await page.settled();
    await page.send(more);
    await showsWhatIsKept(page);
    await page.until(async () => bodies(server).map(({ stream }) => stream ?? false), [true, true]);
  });

/** The shop's own tool, and how often it ran. */
const offering = `
  window.prepare = () => {
    const { create } = window;
    window.runs = 0;
    window.create = (...args) => {
      const element = create(...args);
      customElements.whenDefined('workspace-chat').then(() => element.registerTool({
        name: 'get_order_status',
        run: ({ order_number }) => { window.runs++; return { order_number, status: 'shipped' }; },
      }));
      return element;
    };
  };
`;

export const serviceFaults: FaultGroup = {
  title: 'the local service behind a bad network',
  async setUp() {
    service = await startRealService();
    return () => service.close();
  },
  faults: [
    wholeFault('nothing is spoilt', 'Nothing: the measure of the others.', faithful, faithful),
    wholeFault('kept back by a proxy', 'Every answer arrives all at once.', buffered, buffered),
    wholeFault('in crumbs', 'Every answer arrives seven bytes at a time.', crumbled, crumbled),
    serviceFault(
      {
        name: 'taken, and the answer lost',
        about: 'The service answers the second message, and nothing of it arrives.',
        sees: '“Not confirmed · Send again”; the next turn is a plain call of the same conversation.',
      },
      async (page, server) => {
        server.answer(service.passOn(), service.passOn(lost), service.passOn());
        await page.send(question);
        await page.settled();
        await page.send(more);
        await page.settled();
        await page.until(async () => (await page.transcript()).at(-1)!.endsWith(again), true);
        await page.until(async () => (await service.messages()).length, 4);
        await page.send('Thanks');
        await page.settled();
        const [first] = await service.messages();
        await page.until(async () => first, `visitor: ${question}`);
        await page.until(async () => (await service.messages()).length, 6);
        await page.until(
          async () => bodies(server).map(({ stream, conversation_id }) => [stream ?? false, Boolean(conversation_id)]),
          [
            [true, false],
            [true, true],
            [false, true],
          ],
        );
      },
    ),
    serviceFault(
      {
        name: 'cut short',
        about: 'The answer is cut after its first words.',
        sees: 'The words that came, “The reply was interrupted. Ask again”; the next turn is a plain call.',
      },
      async (page, server) => {
        server.answer(service.passOn(), service.passOn(cutShort), service.passOn());
        await page.send(question);
        await page.settled();
        await page.send(more);
        await page.settled();
        await page.until(async () => (await page.transcript()).at(-1)!.endsWith(interrupted), true);
        await page.send('Thanks');
        await page.settled();
        await page.until(async () => bodies(server).map(({ stream }) => stream ?? false), [true, true, false]);
        await page.until(async () => (await page.transcript()).length, 6);
      },
    ),
    serviceFault(
      {
        name: 'a plain call, answered twice into the void',
        about: 'With `streaming="off"` the service’s answer is lost twice.',
        sees: 'The answer, after two waits; the service has taken the message once.',
        page: { clock: true, attributes: { streaming: 'off' } },
      },
      async (page, server) => {
        server.answer(service.passOn(lost), service.passOn(lost), service.passOn());
        await page.send(question);
        for (let count = 1; count < 3; count++) {
          await page.until(async () => {
            await page.pass(5_000);
            return server.posts.length > count;
          }, true);
        }
        await showsWhatIsKept(page);
        await page.until(async () => (await service.messages()).length, 2);
        const keys = new Set(server.posts.map(({ headers }) => headers.get('idempotency-key')));
        await page.until(async () => keys.size, 1);
      },
    ),
    serviceFault(
      {
        name: 'the day after',
        about: 'The conversation is 25 hours old at the service: it answers 410.',
        sees: '“The previous conversation has ended …”, and the same text in a new one.',
      },
      async (page, server) => {
        const before = await service.conversations();
        server.answer(...Array.from({ length: 3 }, () => service.passOn()));
        await page.send(question);
        await page.settled();
        service.moveClock(25 * 60 * 60 * 1000);
        await page.send(more);
        await page.settled();
        await page.until(async () => (await service.messages())[0], `visitor: ${more}`);
        await page.until(() => service.conversations(), before + 2);
        await page.until(async () => (await page.transcript()).filter((line) => line.startsWith('(')).length, 1);
        await page.until(async () => bodies(server).map((body) => Boolean(body.conversation_id)), [false, true, false]);
      },
    ),
    serviceFault(
      {
        name: 'too many messages',
        about: 'The address has used its messages of this minute: the service answers 429.',
        sees: 'A countdown from the service’s own `Retry-After`, then the answer.',
        page: { clock: true },
      },
      async (page, server) => {
        const path = `/api/v2/agents/${agentId}/chat`;
        server.answer(service.passOn(), service.passOn(), service.passOn());
        await service.exhaust(path);
        await page.send(question);
        await page.element.locator('.banner', { hasText: 'You’re sending messages quickly.' }).waitFor();
        service.moveClock(60_000);
        await page.until(async () => {
          await page.pass(10_000);
          return server.posts.length;
        }, 2);
        await showsWhatIsKept(page);
      },
    ),
    serviceFault(
      {
        name: 'the assistant is paused',
        about: 'The team pauses the assistant between two messages: the service answers 409.',
        sees: '“Not sent”, that it is paused, and the text kept; sent again when it is back.',
      },
      async (page, server) => {
        server.answer(service.passOn(), service.passOn(), service.passOn());
        await page.send(question);
        await page.settled();
        await service.call('PATCH', `/team/agents/${agentId}`, { status: 'paused' });
        await page.send(more);
        await page.settled();
        await page.until(async () => (await page.transcript()).at(-1)!.startsWith(`visitor: ${more} — Not sent`), true);
        await page.until(async () => (await service.messages()).length, 2);
        await service.call('PATCH', `/team/agents/${agentId}`, { status: 'live' });
        await page.button('Send again').click();
        await showsWhatIsKept(page);
      },
    ),
    serviceFault(
      {
        name: 'a tool’s result, taken and unanswered',
        about:
          'The service takes the tool’s result; its answer to that is lost, and the repetition finds the call closed.',
        sees: 'The run, once, and the answer made of it.',
        page: { clock: true, init: offering },
      },
      async (page, server) => {
        server.answer(service.passOn());
        const take = service.passOn(lost);
        const repeat = service.passOn();
        const told: string[] = [];
        const note = (exchange: Exchange) => void told.push(exchange.received.body);
        server.answerTools(
          (exchange) => (note(exchange), take(exchange)),
          (exchange) => (note(exchange), repeat(exchange)),
        );
        await page.send('Where is my order 1042?');
        await page.until(async () => {
          await page.pass(500);
          return page.page.evaluate(() => document.querySelector('workspace-chat')!.busy);
        }, false);
        await page.until(
          async () => (await page.transcript()).at(-1)!.startsWith('agent: {Used: get order status}'),
          true,
        );
        await page.until(() => page.page.evaluate('window.runs'), 1);
        await page.until(async () => new Set(told).size, 1);
      },
    ),
    serviceFault(
      {
        name: 'two tabs begin together',
        about: 'Two tabs send the first message in the same moment.',
        sees: 'One conversation of the service, with both messages, in both tabs.',
      },
      async (page, server) => {
        const before = await service.conversations();
        const tab = await page.openTab();
        server.answer(service.passOn(), service.passOn());
        await Promise.all([page.send(question), tab.send(more)]);
        await page.until(async () => (await page.transcript()).length, 4);
        await tab.until(async () => (await tab.transcript()).length, 4);
        await page.until(() => service.conversations(), before + 1);
        await page.until(async () => (await service.messages()).length, 4);
        await showsWhatIsKept(page);
        await showsWhatIsKept(tab);
      },
    ),
  ],
};
