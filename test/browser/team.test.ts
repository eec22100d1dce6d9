import { expect } from '@open-wc/testing';
import { mount, unmountAll, until } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

const disclaimer = 'AI replies can be wrong.';

describe('A message of the team', () => {
  afterEach(unmountAll);

  const open = async (message: object, attributes: Record<string, string> = {}) => {
    const mounted = await mount([streamed(started())], attributes);
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

  it('is shown with the picture of the person, if its host is allowed, and else with an initial', async () => {
    const own = 'https://images.example/assistant.png';
    const pictureOf = async (avatar: unknown) => {
      const { find, findAll } = await open(
        { author: { name: 'salma', avatar } },
        { avatar: own, 'image-hosts': 'images.example' },
      );
      const picture = await until(() => find('.message:has(.author) > .avatar'));
      const pictures = findAll('img.avatar').map((image) => image.getAttribute('src'));
      await unmountAll();
      return { text: picture.textContent, src: picture.getAttribute('src'), own: pictures[0] };
    };
    const allowed = 'https://images.example/salma.png';
    expect(await pictureOf(allowed)).to.deep.equal({ text: '', src: allowed, own });
    for (const avatar of [undefined, 'https://other.example/s.png', 'javascript:alert(1)', 'data:image/png,', 7])
      expect(await pictureOf(avatar)).to.deep.equal({ text: 'S', src: null, own });
  });

  it('has the initial of the person, and the assistant a drawn bubble, when the site has no pictures', async () => {
    const { find } = await open({ author: { name: 'Salma' } });
    expect(find('.agent:has(.author) .avatar').textContent).to.equal('S');
    expect(find('.header .avatar').textContent).to.equal('');
    expect(getComputedStyle(find('.header .avatar'), '::before').content).to.equal('""');
  });

  it('has the initial of the site’s heading beside the assistant', async () => {
    const { find } = await mount([], { heading: 'Palm & Clay' });
    expect(find('.header .avatar').textContent).to.equal('P');
    expect(find('.header .avatar').ariaHidden).to.equal('true');
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
