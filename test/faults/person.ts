/** Faults of the relay through which a person of the team replies. */
import { expect } from '@playwright/test';
import { poll } from '../support/poll.ts';
import type { ServerCall } from '../support/servers/server-call.ts';
import type { FaultGroup } from '../support/pages/fault.ts';
import { eventText, started } from '../support/fakes/fake-service.ts';
import type { HostileServer, CallHandler } from '../support/servers/hostile-server.ts';
import { reply, resetConnection, holdCall } from '../support/servers/server-faults.ts';
import { storedWhole, whole } from './expected.ts';

const teamMessage = (id: string, content: string, fields: object = {}) => ({
  id,
  role: 'assistant',
  actor_type: 'owner',
  content,
  conversation_id: 'cnv_1',
  ...fields,
});

/** Sets `replies-url` to the relay of the hostile server. */
const following = {
  initScript: `window.prepare = () => {
  const { create } = window;
  window.create = (...args) => {
    const element = create(...args);
    element.setAttribute('replies-url', new URL('/relay', element.getAttribute('base-url')).href);
    return element;
  };
};`,
};

/** Counts the responses that the page has received. */
const countResponses = `
const { fetch } = window;
window.responses = 0;
window.fetch = async (...args) => {
  const response = await fetch(...args);
  window.responses++;
  return response;
};`;

/** The notice before the first message of a person. */
const joined = '(A teammate has joined the conversation.)';

const said = (id: string, event: string, data: object) => `id: ${id}\n${eventText(event, data)}`;
const state = (name: string) => ({ conversation_id: 'cnv_1', state: name });

const listens = ({ relayCalls }: HostileServer) => relayCalls.map(({ headers }) => headers.get('last-event-id'));

/** A response of the relay after which the widget does not connect again. */
const finalFault = (status: number) =>
  ({
    name: `relay: ${status}`,
    cause: `The relay responds with ${status}.`,
    outcome: 'The conversation stays, and the widget does not connect to the relay again.',
    page: { initScript: following.initScript + countResponses, hasFakeClock: true },
    async run(page, server) {
      server.onChat(reply());
      server.onRelay((call) => call.writeHead(status, { 'content-length': '0' }).end());
      await page.send('Hi');
      await page.expectTranscript(...whole);
      // The connection would time out if the time passed before its response has arrived.
      await poll(() => page.evaluate('window.responses'), 'the responses').toBe(2);
      for (let count = 0; count < 4; count++) await page.fastForward(60_000);
      await page.expectStored(...storedWhole);
      await poll(() => [server.chatCalls.length, server.relayCalls.length]).toEqual([1, 1]);
    },
  }) satisfies FaultGroup['faults'][number];

export const personFaults: FaultGroup = {
  title: 'a person takes over',
  faults: [
    {
      name: 'handed over, taken over, handed back',
      cause: 'The assistant hands the conversation over, a person replies through the relay, and the ticket is closed.',
      outcome:
        'Each step is a notice, the person’s messages are marked as the team’s, and a message without a reply has no empty bubble.',
      page: following,
      async run(page, server) {
        let relay: ServerCall | undefined;
        server.onRelay((call) => (relay = call.startStream()));
        server.onChat(reply('Hello there', { state: 'handoff_requested' }), (call) =>
          call
            .startStream()
            .event('done', { ...started(), conversation_token: undefined, message: null, state: 'human_active' })
            .end(),
        );
        await page.send('Hi');
        const asked = [...whole, '(We’ve asked a teammate to join. The assistant keeps helping until then.)'];
        await page.expectTranscript(...asked);
        await server.waitForCalls(2);
        relay!.write(
          said('1', 'conversation', state('human_active')) + said('2', 'message', teamMessage('r1', 'I am Salma')),
        );
        const taken = [...asked, joined, 'team: Team I am Salma'];
        await poll(async () => (await page.transcript()).map((line) => line.replace('team: ', 'team: Team '))).toEqual(
          taken,
        );
        await page.send('Thanks');
        await page.waitUntilIdle();
        relay!.write(said('3', 'conversation', state('ai_active')));
        await poll(async () => (await page.transcript()).slice(-2)).toEqual([
          'visitor: Thanks',
          '(The assistant is replying again.)',
        ]);
        await page.expectStored(
          'visitor confirmed: Hi',
          'ai whole: Hello there',
          'notice handoff',
          'notice joined',
          'owner whole: I am Salma',
          'visitor confirmed: Thanks',
          'notice returned',
          'credentials cnv_1',
        );
        await page.reload();
        await poll(async () => (await page.transcript()).length).toBe(7);
        await page.expectChatCalls(2);
      },
    },
    {
      name: 'relay: cut between two replies',
      cause: 'The connection to the relay is reset, and the relay repeats an event after the reconnection.',
      outcome: 'Each message is rendered once, and the widget reconnects with the id of the last event.',
      page: { ...following, hasFakeClock: true },
      async run(page, server) {
        let relay: ServerCall | undefined;
        const take: CallHandler = (call) => (relay = call.startStream());
        server.onChat(reply());
        server.onRelay(take, take);
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await server.waitForCalls(2);
        relay!.write(said('7', 'message', teamMessage('r1', 'One')));
        await page.expectTranscript(...whole, joined, 'team: One');
        relay!.reset();
        await poll(async () => {
          await page.fastForward(2_000);
          return server.relayCalls.length;
        }).toBe(2);
        relay!.write(said('7', 'message', teamMessage('r1', 'One')) + said('8', 'message', teamMessage('r2', 'Two')));
        await page.expectTranscript(...whole, joined, 'team: One', 'team: Two');
        await poll(() => listens(server)).toEqual([null, '7']);
        await page.expectStored(
          ...storedWhole.slice(0, 2),
          'notice joined',
          'owner whole: One',
          'owner whole: Two',
          'credentials cnv_1',
        );
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'relay: down for a while',
      cause: 'The relay resets the connection, responds with HTML, and then works again.',
      outcome: 'The visitor notices nothing and sees the message.',
      page: { ...following, hasFakeClock: true },
      async run(page, server) {
        server.onChat(reply());
        server.onRelay(
          resetConnection,
          (call) => call.respond(502, 'text/html', '<h1>Bad gateway</h1>'),
          (call) => call.startStream().write(said('1', 'message', teamMessage('r1', 'Back'))),
        );
        await page.send('Hi');
        await page.expectTranscript(...whole);
        await poll(async () => {
          await page.fastForward(5_000);
          return server.relayCalls.length;
        }).toBe(3);
        await page.expectTranscript(...whole, joined, 'team: Back');
        await page.expectStored(...storedWhole.slice(0, 2), 'notice joined', 'owner whole: Back', 'credentials cnv_1');
        await page.expectChatCalls(1);
      },
    },
    finalFault(204),
    finalFault(401),
    finalFault(403),
    {
      name: 'relay: of another conversation',
      cause:
        'The relay and the page deliver messages of another conversation, of the visitor, and of an unknown shape.',
      outcome: 'None of these messages is rendered.',
      page: following,
      async run(page, server) {
        server.onChat(reply());
        const relay = holdCall();
        server.onRelay(relay.handler);
        await page.send('Hi');
        await page.expectTranscript(...whole);
        (await relay.call)
          .startStream()
          .write(said('1', 'message', teamMessage('r1', 'Not for you', { conversation_id: 'cnv_2' })))
          .write(said('2', 'message', teamMessage('r2', 'I said so', { role: 'user' })))
          .write('id: 3\nevent: message\ndata: [null]\n\nevent: message\ndata: no JSON\n\n')
          .write(said('4', 'conversation', { conversation_id: 'cnv_2', state: 'closed' }))
          .write(said('5', 'message', teamMessage('r3', 'For you')));
        await page.expectTranscript(...whole, joined, 'team: For you');
        await page.page.evaluate(
          (message) => document.querySelector('workspace-chat')!.receive(message),
          teamMessage('r4', 'No', { conversation_id: 'cnv_2' }),
        );
        await page.expectStored(
          ...storedWhole.slice(0, 2),
          'notice joined',
          'owner whole: For you',
          'credentials cnv_1',
        );
        await page.expectTranscript(...whole, joined, 'team: For you');
        await page.expectChatCalls(1);
      },
    },
    {
      name: 'relay: the proof',
      cause: 'The widget connects to the relay.',
      outcome: 'The message is rendered, and the conversation token is not sent to the relay.',
      page: following,
      async run(page, server) {
        server.onChat(reply());
        const relay = holdCall();
        server.onRelay(relay.handler);
        await page.send('Hi');
        await page.expectTranscript(...whole);
        (await relay.call).startStream().write(said('1', 'message', teamMessage('r1', 'Proven')));
        await page.expectTranscript(...whole, joined, 'team: Proven');
        const [listen] = server.relayCalls;
        expect(listen?.path).toBe('/relay?conversation_id=cnv_1');
        // base64url(SHA-256("tok_1"))
        const { createHash } = await import('node:crypto');
        const proof = createHash('sha256').update('tok_1').digest('base64url');
        await poll(() => [listen!.headers.get('x-conversation-proof'), listen!.headers.get('authorization')]).toEqual([
          proof,
          null,
        ]);
        await page.expectStored(
          ...storedWhole.slice(0, 2),
          'notice joined',
          'owner whole: Proven',
          'credentials cnv_1',
        );
        await page.expectChatCalls(1);
      },
    },
  ],
};
