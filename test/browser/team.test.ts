import { expect } from '@open-wc/testing';
import { mount, unmountAll, until } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

const disclaimer = 'AI replies can be wrong.';

describe('A message of the team', () => {
  afterEach(unmountAll);

  const open = async (message: object) => {
    const mounted = await mount([streamed(started())]);
    const { element, findAll } = mounted;
    await element.send('Hi');
    element.receive({ id: 'm9', role: 'assistant', actor_type: 'owner', content: 'Hello', ...message });
    await until(() => findAll('.author').length === 1);
    return mounted;
  };

  it('is shown with the name of the person, if the relay sends one', async () => {
    const { find } = await open({ author: { name: ' Salma ' } });
    expect(find('.author').textContent).to.equal('Salma');
  });

  it('is shown as of the team when the relay sends no usable name', async () => {
    for (const author of [undefined, 'Salma', { name: {} }, { name: '' }, null]) {
      const { find } = await open({ author });
      expect(find('.author').textContent).to.equal('Team');
      await unmountAll();
    }
  });

  it('removes the notice that replies are written by an assistant', async () => {
    const { find } = await open({});
    await until(() => !find('.footer').textContent.includes(disclaimer));
  });
});

describe('A conversation that the service has closed', () => {
  afterEach(unmountAll);

  it('offers a new conversation, which replaces it', async () => {
    const { element, find, findAll } = await mount([streamed(started({ state: 'closed' })), streamed(started())]);
    await element.send('Hi');
    const button = await until(() => find<HTMLButtonElement>('.notice button'));
    expect(button.textContent).to.equal('Start a new conversation');
    button.click();
    await until(() => findAll('.message.visitor').length === 0);
    expect(element.conversationId).to.equal(null);
    await until(() => element.shadowRoot!.activeElement === find('textarea'));
  });
});
