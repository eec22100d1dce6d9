import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Block } from '../../../contract/wire.ts';
import { createConversation, type ConversationClient } from '../../../src/entries/client.ts';
import { configureTesting, createFakeService, type FakeService } from '../../../src/entries/testing.ts';

describe('A conversation without views', () => {
  let service: FakeService;
  let conversation: ConversationClient;

  beforeEach(() => {
    service = createFakeService();
    conversation = createConversation({ ...service, storage: 'memory' });
  });

  afterEach(async () => {
    conversation.dispose();
    await service.close();
  });

  const texts = () =>
    conversation.store.state.messages.map((message) => (message.role === 'notice' ? message.code : message.text));

  it('sends a message, and has the streamed reply in its state', async () => {
    service.reply('We open at nine.');
    const response = await conversation.send('When do you open?');
    assert.equal(response?.message?.content, 'We open at nine.');
    assert.deepEqual(texts(), ['When do you open?', 'We open at nine.']);
    assert.equal(service.requests[0]!.body.stream, true);
    assert.equal(conversation.busy, false);
  });

  it('notifies subscribers of each snapshot until they unsubscribe', async () => {
    let release = () => {};
    const until = new Promise<void>((resolve) => (release = resolve));
    service.reply({ text: 'One two three', until });
    const statuses = new Set<string>();
    const streamed = new Promise<void>((resolve) => {
      const { subscribe } = conversation.store;
      const unsubscribe = subscribe(({ turn }) => {
        statuses.add(turn.status);
        if (turn.status !== 'streaming' || turn.reply.text !== 'One two three') return;
        unsubscribe();
        resolve();
      });
    });
    const sent = conversation.send('Count');
    await streamed;
    assert.equal(conversation.busy, true);
    release();
    await sent;
    assert.deepEqual([...statuses], ['sending', 'streaming']);
  });

  it('fires the events of the element under their short names', async () => {
    const fired: string[] = [];
    conversation.on('send', ({ text }) => fired.push(`send ${text}`));
    conversation.on('conversation', ({ change }) => fired.push(`conversation ${change}`));
    const unsubscribe = conversation.on('message', ({ message }) => fired.push(`message ${message.content}`));
    service.reply('Hello.', 'Again.');
    await conversation.send('Hi');
    unsubscribe();
    await conversation.send('Hi again');
    assert.deepEqual(fired, ['send Hi', 'conversation started', 'message Hello.', 'send Hi again']);
  });

  it('sends nothing when a listener cancels the event', async () => {
    conversation.on('send', (event) => event.preventDefault());
    assert.equal(await conversation.send('Hi'), null);
    assert.deepEqual(service.requests, []);
  });

  it('runs a registered tool with its validated arguments, and offers it only while it is registered', async () => {
    const unregister = conversation.registerTool<{ id: number }>({
      name: 'get_cart',
      run: ({ id }) => ({ total: id }),
    });
    const script = {
      tools: [{ name: 'get_cart', arguments: { id: 3 } }],
      text: (results: readonly unknown[]) => `${results.length} results`,
    };
    service.reply(script, script);
    assert.equal((await conversation.send('My cart?'))?.message?.content, '1 results');
    assert.deepEqual(service.toolResults, [{ name: 'get_cart', ok: true, result: { total: 3 } }]);
    unregister();
    assert.equal((await conversation.send('My cart?'))?.message?.content, '0 results');
  });

  it('asks for consent before a tool with confirm runs', async () => {
    conversation.registerTool({ name: 'cancel_order', confirm: true, run: () => ({ isCanceled: true }) });
    conversation.store.subscribe(({ turn }) => {
      const run = turn.status === 'calling' ? turn.reply.tools.at(-1) : null;
      if (run?.phase === 'asked') setImmediate(() => conversation.consent(run.callId, false));
    });
    service.reply({ tools: [{ name: 'cancel_order' }], text: 'As you wish.' });
    await conversation.send('Cancel it');
    assert.deepEqual(service.toolResults, [{ name: 'cancel_order', ok: false, error: 'refused_by_visitor' }]);
  });

  it('keeps the text that has arrived when the visitor stops the reply', async () => {
    service.reply('Hello.', { text: 'One two', until: new Promise(() => {}) });
    await conversation.send('Hi');
    conversation.store.subscribe(({ turn }) => {
      if (turn.status === 'streaming' && turn.reply.text === 'One two') conversation.stop();
    });
    assert.equal(await conversation.send('Count'), null);
    assert.deepEqual(texts(), ['Hi', 'Hello.', 'Count', 'One two']);
  });

  it('has blocks and sources of a reply in its state', async () => {
    const block: Block = { type: 'options', options: [{ label: 'Muscat' }, { label: 'Salalah' }] };
    const source = { file_id: 'f', filename: 'Stores' };
    service.reply({ text: 'Which city?', blocks: [block], sources: [source] });
    await conversation.send('Where are you?');
    const reply = conversation.store.state.messages.at(-1)!;
    assert(reply.role === 'assistant');
    assert.deepEqual(reply.blocks, [block]);
    assert.deepEqual(reply.sources, [source]);
  });

  it('shows a failure in the turn and sends the message again', async () => {
    const errors: string[] = [];
    conversation.on('error', ({ code }) => errors.push(code));
    service.reply({ fault: 'offline' }, 'Here I am.');
    assert.equal(await conversation.send('Hi'), null);
    assert.deepEqual(errors, ['network']);
    const { turn } = conversation.store.state;
    assert(turn.status === 'failed');
    await conversation.sendAgain(turn.messageKey);
    assert.deepEqual(texts(), ['Hi', 'Here I am.']);
  });

  it('starts a new conversation after a reset', async () => {
    await conversation.send('One');
    await conversation.reset();
    assert.deepEqual(texts(), []);
    await conversation.send('Two');
    assert.equal(service.requests[1]!.body.conversation_id, undefined);
  });

  it('proves the visitor with each message, and forgets the visitor at logout', async () => {
    conversation.identify({ user_id: 'u_1', user_hash: 'abc' });
    await conversation.send('Who am I?');
    await conversation.logout();
    await conversation.send('And now?');
    const [first, second] = service.requests;
    assert.deepEqual(first!.body.contact, { user_id: 'u_1', user_hash: 'abc' });
    assert.deepEqual([second!.body.contact, second!.body.conversation_id], [undefined, undefined]);
  });

  it('shows messages of the team, and counts those that the visitor does not see', async () => {
    await conversation.send('Hi');
    const { conversationId } = conversation.store.state;
    const receive = (id: string) =>
      conversation.receive({
        id,
        role: 'assistant',
        actor_type: 'owner',
        content: id,
        conversation_id: conversationId,
      });
    receive('seen');
    assert.equal(conversation.store.state.unread, 0);
    conversation.setVisible(false);
    receive('unseen');
    assert.equal(conversation.store.state.unread, 1);
    conversation.setVisible(true);
    assert.equal(conversation.store.state.unread, 0);
  });

  it('asks for replies in the language of its locale', async () => {
    const arabic = createConversation({ ...service, storage: 'memory', locale: 'ar-OM' });
    await arabic.send('مرحبا');
    arabic.dispose();
    assert.equal(service.requests[0]!.body.locale, 'ar');
  });

  it('uses the fetch of the tests when it has none of its own, until that is restored', async () => {
    const { baseUrl, publishableKey, agentId } = service;
    const restore = configureTesting({ fetch: service.fetch });
    const other = createConversation({ baseUrl, publishableKey, agentId, storage: 'memory' });
    restore();
    await other.send('Hi');
    other.dispose();
    assert.equal(service.requests.length, 1);
  });

  it('rejects a configuration that is not valid, and names the problem in the console', async (t) => {
    const logged = new Promise<string>((resolve) => {
      t.mock.method(console, 'error', resolve);
    });
    assert.throws(() => createConversation({ ...service, publishableKey: 'svc_sk_1' }), TypeError);
    assert.match(await logged, /secret key/);
  });
});
