/** Faults of the network between the widget and the local service. */
import { expect } from '@playwright/test';
import { poll } from '../support/poll.ts';
import type { Fault, FaultGroup } from '../support/pages/fault.ts';
import type { FaultPage, PageOptions } from '../support/pages/fault-page.ts';
import type { HostileServer } from '../support/servers/hostile-server.ts';
import { realKeys, lost, startRealService, type RealService } from '../support/servers/real-service.ts';
import { agentId } from '../../service/seed/business.ts';
import { again, bodies } from './expected.ts';

const question = 'When are you open on Friday?';
const more = 'Do you sell coffee cups?';

let service: RealService;

/** Waits until the transcript equals the messages that the service has stored, apart from formatting. */
const expectStoredMessages = async (page: FaultPage) => {
  const plain = (lines: string[]) => lines.map((line) => line.replace(/[^\p{L}]/gu, '').slice(0, 40));
  await page.waitUntilIdle();
  const kept = plain(await service.messages());
  await poll(async () => plain(await page.transcript())).toEqual(kept);
};

/** A fault of a conversation with the local service. */
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

export const serviceFaults: FaultGroup = {
  title: 'the local service behind a bad network',
  async setUp() {
    service = await startRealService();
    return () => service.close();
  },
  faults: [
    serviceFault(
      {
        name: 'accepted, and the response lost',
        cause: 'The service replies to the second message, and nothing of the reply arrives.',
        outcome:
          'The message is marked “Not confirmed”, with “Send again”. The next turn is a plain call of the same conversation.',
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
        name: 'a plain call whose response is lost twice',
        cause: 'With `streaming="off"` the service’s response is lost twice.',
        outcome: 'The reply is rendered after two retries, and the service has stored the message once.',
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
        await expectStoredMessages(page);
        await poll(async () => (await service.messages()).length).toBe(2);
        const keys = new Set(server.chatCalls.map(({ headers }) => headers.get('idempotency-key')));
        expect(keys.size).toBe(1);
      },
    ),
    serviceFault(
      {
        name: 'two tabs start at the same time',
        cause: 'Two tabs send the first message in the same moment.',
        outcome: 'The service has one conversation with both messages, and both tabs show it.',
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
        await expectStoredMessages(page);
        await expectStoredMessages(tab);
      },
    ),
  ],
};
