import { expect } from '@open-wc/testing';
import { methods } from '../../src/products/embed/embedded-chat.ts';
import { WorkspaceChatStub } from '../../src/entries/testing.ts';

describe('The stub of the element', () => {
  let chat: WorkspaceChatStub;
  let fired: string[];

  before(() => WorkspaceChatStub.define());

  beforeEach(() => {
    chat = new WorkspaceChatStub();
    fired = [];
    for (const name of ['open', 'close', 'send', 'message', 'conversation', 'tool'])
      document.addEventListener(`workspace-chat-${name}`, record);
    document.body.append(chat);
  });

  afterEach(() => {
    for (const name of ['open', 'close', 'send', 'message', 'conversation', 'tool'])
      document.removeEventListener(`workspace-chat-${name}`, record);
    chat.remove();
  });

  const record = ({ type }: Event): void => void fired.push(type.slice('workspace-chat-'.length));

  it('is created by its tag, and can be defined twice', () => {
    WorkspaceChatStub.define();
    expect(document.createElement('workspace-chat')).to.be.instanceOf(WorkspaceChatStub);
  });

  it('has every method of the element', () => {
    expect(methods.filter((method) => typeof chat[method] !== 'function')).to.deep.equal([]);
  });

  it('records show and hide, and fires the events of the panel', () => {
    chat.show();
    expect([chat.open, chat.hasAttribute('open')]).to.deep.equal([true, true]);
    chat.show();
    chat.hide();
    expect(chat.calls.map(({ method }) => method)).to.deep.equal(['show', 'show', 'hide']);
    expect(fired).to.deep.equal(['open', 'close']);
  });

  it('resolves send to the scripted reply, or to null', async () => {
    chat.reply('We open at nine.');
    const response = await chat.send('When do you open?');
    expect(response?.message?.content).to.equal('We open at nine.');
    expect(await chat.send('And now?')).to.equal(null);
    expect(chat.calls[0]).to.deep.equal({ method: 'send', args: ['When do you open?'] });
    expect(fired).to.deep.equal(['send', 'conversation', 'message', 'send']);
  });

  it('sends nothing when the page cancels the event', async () => {
    chat.reply('Never sent.');
    chat.addEventListener('workspace-chat-send', (event) => event.preventDefault(), { once: true });
    expect(await chat.send('Hi')).to.equal(null);
    expect(fired).to.deep.equal(['send']);
  });

  it('runs a registered tool and returns its result', async () => {
    chat.registerTool<{ id: string }>({ name: 'find_order', run: ({ id }) => ({ id, status: 'shipped' }) });
    const result = await chat.callTool('find_order', { id: '1' });
    expect(result).to.deep.equal({ name: 'find_order', ok: true, result: { id: '1', status: 'shipped' } });
    expect(fired).to.deep.equal(['conversation', 'tool', 'tool']);
  });

  it('decides about consent for the visitor', async () => {
    chat.registerTool({ name: 'cancel_order', confirm: true, run: () => ({ isDone: true }) });
    expect((await chat.callTool('cancel_order')).ok).to.equal(true);
    const refused = await chat.callTool('cancel_order', {}, { consent: false });
    expect(refused).to.deep.equal({ name: 'cancel_order', ok: false, error: 'refused_by_visitor' });
  });

  it('reports a tool that is not registered', async () => {
    const unregister = chat.registerTool({ name: 'get_cart', run: () => ({}) });
    unregister();
    expect(await chat.callTool('get_cart')).to.deep.equal({ name: 'get_cart', ok: false, error: 'unknown_tool' });
  });

  it('ends the conversation at reset', async () => {
    chat.reply('Hello.');
    await chat.send('Hi');
    await chat.reset();
    expect(chat.conversationId).to.equal(null);
    expect(fired.filter((name) => name === 'conversation')).to.have.length(2);
  });
});
