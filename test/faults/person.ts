/** A person takes over: the relay of the site, and what a network does to it. */
import type { Exchange } from '../support/servers/exchange.ts';
import type { FaultGroup } from '../support/pages/fault.ts';
import { eventText, started } from '../support/fakes/fake-service.ts';
import type { HostileServer, Misdeed } from '../support/servers/hostile-server.ts';
import { answered, cut, held } from '../support/servers/server-faults.ts';

const whole = ['visitor: Hi', 'agent: Hello there'];
const keptWhole = ['visitor confirmed: Hi', 'ai whole: Hello there', 'pair cnv_1'];

const reply = (id: string, content: string, fields: object = {}) => ({
  id,
  role: 'assistant',
  actor_type: 'owner',
  content,
  conversation_id: 'cnv_1',
  ...fields,
});

/** The relay's path is told by the page, where it knows the server. */
const following = {
  init: `window.prepare = () => {
  const { create } = window;
  window.create = (...args) => {
    const element = create(...args);
    element.setAttribute('replies-url', new URL('/relay', element.getAttribute('base-url')).href);
    return element;
  };
};`,
};

const said = (id: string, event: string, data: object) => `id: ${id}\n${eventText(event, data)}`;
const state = (name: string) => ({ conversation_id: 'cnv_1', state: name });

const listens = ({ listens: all }: HostileServer) => all.map(({ headers }) => headers.get('last-event-id'));

/** An answer of the relay after which it is not asked again. */
const finalFault = (status: number) =>
  ({
    name: `relay: ${status}`,
    about: `The relay answers ${status}.`,
    sees: 'The conversation as it is; the relay is not asked again.',
    page: { ...following, clock: true },
    async prove(page, server) {
      server.answer(answered());
      server.answerRelay((exchange) => exchange.head(status, { 'content-length': '0' }).end());
      await page.send('Hi');
      await page.shows(...whole);
      await server.received(2);
      for (let count = 0; count < 4; count++) await page.pass(60_000);
      await page.keeps(...keptWhole);
      await page.until(async () => [server.posts.length, server.listens.length], [1, 1]);
    },
  }) satisfies FaultGroup['faults'][number];

export const personFaults: FaultGroup = {
  title: 'a person takes over',
  faults: [
    {
      name: 'handed over, taken over, handed back',
      about: 'The assistant passes the visitor on, a person answers through the relay, the ticket is closed.',
      sees: 'Each step as a notice; the person’s words marked as the team’s; no bubble for a message without an answer.',
      page: following,
      async prove(page, server) {
        let relay: Exchange | undefined;
        server.answerRelay((exchange) => (relay = exchange.stream()));
        server.answer(answered('Hello there', { state: 'handoff_requested' }), (exchange) =>
          exchange
            .stream()
            .event('done', { ...started(), conversation_token: undefined, message: null, state: 'human_active' })
            .end(),
        );
        await page.send('Hi');
        const asked = [...whole, '(We’ve asked a teammate to join. The assistant keeps helping until then.)'];
        await page.shows(...asked);
        await server.received(2);
        relay!.write(
          said('1', 'conversation', state('human_active')) + said('2', 'message', reply('r1', 'I am Salma')),
        );
        const taken = [...asked, '(A teammate has joined the conversation.)', 'person: Team I am Salma'];
        await page.until(
          async () => (await page.transcript()).map((line) => line.replace('person: ', 'person: Team ')),
          taken,
        );
        await page.send('Thanks');
        await page.settled();
        relay!.write(said('3', 'conversation', state('ai_active')));
        await page.until(
          async () => (await page.transcript()).slice(-2),
          ['visitor: Thanks', '(The assistant is replying again.)'],
        );
        await page.keeps(
          'visitor confirmed: Hi',
          'ai whole: Hello there',
          'notice handoff',
          'notice joined',
          'owner whole: I am Salma',
          'visitor confirmed: Thanks',
          'notice returned',
          'pair cnv_1',
        );
        await page.reload();
        await page.until(async () => (await page.transcript()).length, 7);
        await page.until(async () => server.posts.length, 2);
      },
    },
    {
      name: 'relay: cut between two replies',
      about: 'The relay’s connection is reset; it repeats an event when it is back.',
      sees: 'Each reply once; the relay is asked with the last event’s id.',
      page: { ...following, clock: true },
      async prove(page, server) {
        let relay: Exchange | undefined;
        const take: Misdeed = (exchange) => (relay = exchange.stream());
        server.answer(answered());
        server.answerRelay(take, take);
        await page.send('Hi');
        await page.shows(...whole);
        await server.received(2);
        relay!.write(said('7', 'message', reply('r1', 'One')));
        await page.shows(...whole, 'person: One');
        relay!.reset();
        await page.until(async () => {
          await page.pass(2_000);
          return server.listens.length;
        }, 2);
        relay!.write(said('7', 'message', reply('r1', 'One')) + said('8', 'message', reply('r2', 'Two')));
        await page.shows(...whole, 'person: One', 'person: Two');
        await page.until(async () => listens(server), [null, '7']);
        await page.keeps(...keptWhole.slice(0, 2), 'owner whole: One', 'owner whole: Two', 'pair cnv_1');
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'relay: down for a while',
      about: 'The relay is reset, answers HTML, and is back.',
      sees: 'Nothing of it; then the reply.',
      page: { ...following, clock: true },
      async prove(page, server) {
        server.answer(answered());
        server.answerRelay(
          cut,
          (exchange) => exchange.reply(502, 'text/html', '<h1>Bad gateway</h1>'),
          (exchange) => exchange.stream().write(said('1', 'message', reply('r1', 'Back'))),
        );
        await page.send('Hi');
        await page.shows(...whole);
        await page.until(async () => {
          await page.pass(5_000);
          return server.listens.length;
        }, 3);
        await page.shows(...whole, 'person: Back');
        await page.keeps(...keptWhole.slice(0, 2), 'owner whole: Back', 'pair cnv_1');
        await page.until(async () => server.posts.length, 1);
      },
    },
    finalFault(204),
    finalFault(401),
    finalFault(403),
    {
      name: 'relay: of another conversation',
      about: 'The relay, and the page, bring messages of another conversation, of the visitor, and of no shape.',
      sees: 'None of them.',
      page: following,
      async prove(page, server) {
        server.answer(answered());
        const relay = held();
        server.answerRelay(relay.misdeed);
        await page.send('Hi');
        await page.shows(...whole);
        (await relay.exchange)
          .stream()
          .write(said('1', 'message', reply('r1', 'Not for you', { conversation_id: 'cnv_2' })))
          .write(said('2', 'message', reply('r2', 'I said so', { role: 'user' })))
          .write('id: 3\nevent: message\ndata: [null]\n\nevent: message\ndata: no JSON\n\n')
          .write(said('4', 'conversation', { conversation_id: 'cnv_2', state: 'closed' }))
          .write(said('5', 'message', reply('r3', 'For you')));
        await page.shows(...whole, 'person: For you');
        await page.page.evaluate(
          (message) => document.querySelector('workspace-chat')!.receive(message),
          reply('r4', 'No', { conversation_id: 'cnv_2' }),
        );
        await page.keeps(...keptWhole.slice(0, 2), 'owner whole: For you', 'pair cnv_1');
        await page.shows(...whole, 'person: For you');
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'relay: the proof',
      about: 'The relay is asked for the conversation.',
      sees: 'The reply; the token itself never leaves for the relay.',
      page: following,
      async prove(page, server) {
        server.answer(answered());
        const relay = held();
        server.answerRelay(relay.misdeed);
        await page.send('Hi');
        await page.shows(...whole);
        (await relay.exchange).stream().write(said('1', 'message', reply('r1', 'Proven')));
        await page.shows(...whole, 'person: Proven');
        const [listen] = server.listens;
        await page.until(async () => listen?.path, '/relay?conversation_id=cnv_1');
        // base64url(SHA-256("tok_1"))
        const { createHash } = await import('node:crypto');
        const proof = createHash('sha256').update('tok_1').digest('base64url');
        await page.until(
          async () => [listen!.headers.get('x-conversation-proof'), listen!.headers.get('authorization')],
          [proof, null],
        );
        await page.keeps(...keptWhole.slice(0, 2), 'owner whole: Proven', 'pair cnv_1');
        await page.until(async () => server.posts.length, 1);
      },
    },
    {
      name: 'a reply while the chat is closed',
      about: 'A person writes while nobody looks, twice the same message.',
      sees: 'One unread message at the launcher, also after a reload; none once it is opened.',
      page: { attributes: { mode: 'floating', open: '' } },
      async prove(page, server) {
        const unread = () => page.page.evaluate(() => document.querySelector('workspace-chat')!.unreadCount);
        server.answer(answered());
        await page.send('Hi');
        await page.shows(...whole);
        await page.page.evaluate(
          (message) => {
            const element = document.querySelector('workspace-chat')!;
            element.hide();
            return element.updateComplete.then(() => {
              element.receive(message);
              element.receive(message);
            });
          },
          reply('r1', 'Are you there?'),
        );
        await page.until(unread, 1);
        await page.keeps(...keptWhole.slice(0, 2), 'owner whole: Are you there?', 'pair cnv_1');
        await page.until(async () => (await page.record())?.unread, 1);
        await page.page.evaluate(() => document.querySelector('workspace-chat')!.show());
        await page.until(unread, 0);
        await page.shows(...whole, 'person: Are you there?');
        await page.until(async () => server.posts.length, 1);
      },
    },
  ],
};
