import { expect } from '@open-wc/testing';
import type { WorkspaceChatFeedbackEvent } from '../../src/element.ts';
import { mount, press, until } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

describe('The thumbs below a reply', () => {
  let ended = new AbortController();
  afterEach(() => {
    ended.abort();
    ended = new AbortController();
  });

  const open = async (attributes: Record<string, string> = { feedback: '' }) => {
    const mounted = await mount([streamed(started()), streamed(started())], attributes);
    await mounted.element.send('Hi');
    await until(() => mounted.find('.meta .copy'));
    const events: WorkspaceChatFeedbackEvent[] = [];
    document.addEventListener('workspace-chat-feedback', (event) => events.push(event), { signal: ended.signal });
    const thumb = (name: 'up' | 'down') => until(() => mounted.find<HTMLButtonElement>(`.feedback.${name}`));
    return { ...mounted, events, thumb };
  };

  it('report the rating at once, and again with the comment', async () => {
    const { events, thumb, find } = await open();
    (await thumb('down')).click();
    await until(() => find('.comment'));
    expect(events.map(({ messageId, rating, comment }) => [messageId, rating, comment])).to.deep.equal([
      ['msg_1', -1, ''],
    ]);
    expect((await thumb('down')).getAttribute('aria-pressed')).to.equal('true');
    find<HTMLInputElement>('.comment input').value = ' Too long ';
    find<HTMLButtonElement>('.comment button').click();
    await until(() => !find('.comment'));
    expect(events.at(-1)).to.include({ messageId: 'msg_1', rating: -1, comment: 'Too long' });
    expect(find('.thanks').textContent).to.equal('Sent');
  });

  it('report another rating of the same reply, and the same one only once', async () => {
    const { events, thumb } = await open();
    (await thumb('up')).click();
    (await thumb('up')).click();
    (await thumb('down')).click();
    expect(events.map(({ rating }) => rating)).to.deep.equal([1, -1]);
  });

  it('close the field for a comment at Escape, and not the panel', async () => {
    const { thumb, find, element } = await open();
    (await thumb('up')).click();
    const field = await until(() => find('.comment input'));
    expect(press(field, 'Escape').defaultPrevented).to.equal(true);
    await until(() => !find('.comment'));
    expect(element.shadowRoot!.activeElement).to.equal(await thumb('up'));
  });

  it('are shown as long as the page listens for them on the element', async () => {
    const { element, findAll } = await open({});
    const listener = () => {};
    const removed = new AbortController();
    expect(findAll('.feedback').length).to.equal(0);
    element.addEventListener('workspace-chat-feedback', listener);
    await until(() => findAll('.feedback').length === 2);
    element.removeEventListener('workspace-chat-feedback', listener);
    await until(() => findAll('.feedback').length === 0);
    element.addEventListener('workspace-chat-feedback', listener, { signal: removed.signal });
    await until(() => findAll('.feedback').length === 2);
    removed.abort();
    await until(() => findAll('.feedback').length === 0);
    element.addEventListener('workspace-chat-message', listener);
    await element.updateComplete;
    expect(findAll('.feedback').length).to.equal(0);
  });

  it('are not shown below messages of the team', async () => {
    const { element, findAll, thumb } = await open();
    await thumb('up');
    element.receive({ id: 'm9', role: 'assistant', actor_type: 'owner', content: 'Hello' });
    await until(() => findAll('.author').length === 1);
    expect(findAll('.feedback').length).to.equal(2);
  });
});
