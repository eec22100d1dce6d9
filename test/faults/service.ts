/** The local service itself, behind a network that spoils its answers. */
import { expect } from '@playwright/test';
import { poll } from '../support/poll.ts';
import type { ServerCall } from '../support/servers/server-call.ts';
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage, PageOptions } from '../support/pages/fault-page.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { faithful, realKeys, startRealService, type RealService, type Spoil } from '../support/servers/real-service.ts';
import { agentId } from '../../service/seed/business.ts';

const question = 'When are you open on Friday?';
const more = 'Do you sell coffee cups?';
const again = '[Send again] [Edit]';
const interrupted = ' — The answer was interrupted. [Ask again]';

let service: RealService;

/** The answer comes back at nobody's: the connection is reset once the service has said everything. */
const lost: Spoil = async (call, { body }) => {
  for await (const bytes of body) void bytes;
  call.reset();
};

/** Cut after the first words. */
const cutShort: Spoil = async (call, { head, body }) => {
  head();
  for await (const bytes of body) {
    call.write(bytes);
    if (Buffer.from(bytes).includes('event: delta')) break;
  }
  call.end();
};

/** A proxy keeps everything back until the end. */
const buffered: Spoil = async (call, { head, body }) => {
  const all: Uint8Array[] = [];
  for await (const bytes of body) all.push(bytes);
  head();
  call.write(Buffer.concat(all)).end();
};

/** Seven bytes at a time: in the middle of lines, of words and of letters. */
const crumbled: Spoil = async (call, { head, body }) => {
  head();
  for await (const bytes of body) {
    const crumbs = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) =>
      bytes.slice(index * 7, index * 7 + 7),
    );
    await call.writePieces(crumbs);
  }
  call.end();
};

const bodies = ({ chatCalls }: HostileServer) =>
  chatCalls.map(({ body }) => JSON.parse(body) as { conversation_id?: string; stream?: boolean });

/** What is shown is what the service has kept, message by message, without its formatting. */
const showsWhatIsKept = async (page: FaultPage) => {
  const plain = (lines: string[]) => lines.map((line) => line.replace(/[^\p{L}]/gu, '').slice(0, 40));
  await page.waitUntilIdle();
  const kept = plain(await service.messages());
  await poll(async () => plain(await page.transcript())).toEqual(kept);
};

/** The first message of a visitor of the real service, and what is done with the answers to it. */
const serviceFault = (
  fault: Pick<Fault, 'name' | 'cause' | 'outcome'> & { page?: PageOptions },
  run: (page: FaultPage, server: HostileServer) => Promise<void>,
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
  async run(page, server) {
    service.moveClock(60_000);
    await run(page, server);
    await poll(async () => (await page.stored())?.at(-1)?.replace(/ \S+$/, '')).toBe('credentials');
  },
});

const wholeFault = (name: string, cause: string, ...spoils: Spoil[]): Fault =>
  serviceFault({ name, cause, outcome: 'Both answers, as the service has kept them.' }, async (page, server) => {
    server.onChat(...spoils.map((spoil) => service.passOn(spoil)));
    await page.send(question);
    await page.waitUntilIdle();
    await page.send(more);
    await showsWhatIsKept(page);
    await poll(() => bodies(server).map(({ stream }) => stream ?? false)).toEqual([true, true]);
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
        cause: 'The service answers the second message, and nothing of it arrives.',
        outcome: '“Not confirmed · Send again”; the next turn is a plain call of the same conversation.',
      },
      async (page, server) => {
        server.onChat(service.passOn(), service.passOn(lost), service.passOn());
        await page.send(question);
        await page.waitUntilIdle();
        await page.send(more);
        await page.waitUntilIdle();
        await poll(async () => (await page.transcript()).at(-1)!.endsWith(again)).toBe(true);
        await poll(async () => (await service.messages()).length).toBe(4);
        await page.send('Thanks');
        await page.waitUntilIdle();
        const [first] = await service.messages();
        expect(first).toEqual(`visitor: ${question}`);
        await poll(async () => (await service.messages()).length).toBe(6);
        await poll(() =>
          bodies(server).map(({ stream, conversation_id }) => [stream ?? false, Boolean(conversation_id)]),
        ).toEqual([
          [true, false],
          [true, true],
          [false, true],
        ]);
      },
    ),
    serviceFault(
      {
        name: 'cut short',
        cause: 'The answer is cut after its first words.',
        outcome: 'The words that came, “The answer was interrupted. Ask again”; the next turn is a plain call.',
      },
      async (page, server) => {
        server.onChat(service.passOn(), service.passOn(cutShort), service.passOn());
        await page.send(question);
        await page.waitUntilIdle();
        await page.send(more);
        await page.waitUntilIdle();
        await poll(async () => (await page.transcript()).at(-1)!.endsWith(interrupted)).toBe(true);
        await page.send('Thanks');
        await page.waitUntilIdle();
        await poll(() => bodies(server).map(({ stream }) => stream ?? false)).toEqual([true, true, false]);
        await poll(async () => (await page.transcript()).length).toBe(6);
      },
    ),
    serviceFault(
      {
        name: 'a plain call, answered twice into the void',
        cause: 'With `streaming="off"` the service’s answer is lost twice.',
        outcome: 'The answer, after two waits; the service has taken the message once.',
        page: { hasFakeClock: true, attributes: { streaming: 'off' } },
      },
      async (page, server) => {
        server.onChat(service.passOn(lost), service.passOn(lost), service.passOn());
        await page.send(question);
        for (let count = 1; count < 3; count++) {
          await poll(async () => {
            await page.fastForward(5_000);
            return server.chatCalls.length > count;
          }).toBe(true);
        }
        await showsWhatIsKept(page);
        await poll(async () => (await service.messages()).length).toBe(2);
        const keys = new Set(server.chatCalls.map(({ headers }) => headers.get('idempotency-key')));
        expect(keys.size).toBe(1);
      },
    ),
    serviceFault(
      {
        name: 'the day after',
        cause: 'The conversation is 25 hours old at the service: it answers 410.',
        outcome: '“The previous conversation has ended …”, and the same text in a new one.',
      },
      async (page, server) => {
        const before = await service.conversations();
        server.onChat(...Array.from({ length: 3 }, () => service.passOn()));
        await page.send(question);
        await page.waitUntilIdle();
        service.moveClock(25 * 60 * 60 * 1000);
        await page.send(more);
        await page.waitUntilIdle();
        await poll(async () => (await service.messages())[0]).toEqual(`visitor: ${more}`);
        await poll(() => service.conversations()).toEqual(before + 2);
        await poll(async () => (await page.transcript()).filter((line) => line.startsWith('(')).length).toBe(1);
        await poll(() => bodies(server).map((body) => Boolean(body.conversation_id))).toEqual([false, true, false]);
      },
    ),
    serviceFault(
      {
        name: 'too many messages',
        cause: 'The address has used its messages of this minute: the service answers 429.',
        outcome: 'A countdown from the service’s own `Retry-After`, then the answer.',
        page: { hasFakeClock: true },
      },
      async (page, server) => {
        const path = `/api/v2/agents/${agentId}/chat`;
        server.onChat(service.passOn(), service.passOn(), service.passOn());
        await service.exhaust(path);
        await page.send(question);
        await page.element.locator('.banner', { hasText: 'That was a lot at once.' }).waitFor();
        service.moveClock(60_000);
        await poll(async () => {
          await page.fastForward(10_000);
          return server.chatCalls.length;
        }).toBe(2);
        await showsWhatIsKept(page);
      },
    ),
    serviceFault(
      {
        name: 'the assistant is paused',
        cause: 'The team pauses the assistant between two messages: the service answers 409.',
        outcome: '“Not sent”, that it is paused, and the text kept; sent again when it is back.',
      },
      async (page, server) => {
        server.onChat(service.passOn(), service.passOn(), service.passOn());
        await page.send(question);
        await page.waitUntilIdle();
        await service.call('PATCH', `/team/agents/${agentId}`, { status: 'paused' });
        await page.send(more);
        await page.waitUntilIdle();
        await poll(async () => (await page.transcript()).at(-1)!.startsWith(`visitor: ${more} — Not sent`)).toBe(true);
        await poll(async () => (await service.messages()).length).toBe(2);
        await service.call('PATCH', `/team/agents/${agentId}`, { status: 'live' });
        await page.button('Send again').click();
        await showsWhatIsKept(page);
      },
    ),
    serviceFault(
      {
        name: 'a tool’s result, taken and unanswered',
        cause:
          'The service takes the tool’s result; its answer to that is lost, and the repetition finds the call closed.',
        outcome: 'The run, once, and the answer made of it.',
        page: { hasFakeClock: true, initScript: offering },
      },
      async (page, server) => {
        server.onChat(service.passOn());
        const take = service.passOn(lost);
        const repeat = service.passOn();
        const told: string[] = [];
        const note = (call: ServerCall) => void told.push(call.received.body);
        server.onToolResult(
          (call) => (note(call), take(call)),
          (call) => (note(call), repeat(call)),
        );
        await page.send('Where is my order 1042?');
        await poll(async () => {
          await page.fastForward(500);
          return page.page.evaluate(() => document.querySelector('workspace-chat')!.busy);
        }).toBe(false);
        await poll(async () =>
          (await page.transcript()).at(-1)!.startsWith('assistant: {Used: get order status}'),
        ).toBe(true);
        await poll(() => page.page.evaluate('window.runs')).toBe(1);
        expect(new Set(told).size).toBe(1);
      },
    ),
    serviceFault(
      {
        name: 'two tabs begin together',
        cause: 'Two tabs send the first message in the same moment.',
        outcome: 'One conversation of the service, with both messages, in both tabs.',
      },
      async (page, server) => {
        const before = await service.conversations();
        const tab = await page.openTab();
        server.onChat(service.passOn(), service.passOn());
        await Promise.all([page.send(question), tab.send(more)]);
        await poll(async () => (await page.transcript()).length).toBe(4);
        await poll(async () => (await tab.transcript()).length).toBe(4);
        await poll(() => service.conversations()).toEqual(before + 1);
        await poll(async () => (await service.messages()).length).toBe(4);
        await showsWhatIsKept(page);
        await showsWhatIsKept(tab);
      },
    ),
  ],
};
