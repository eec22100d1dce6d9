import { expect } from '@open-wc/testing';
import { mount, unmountAll, until, recordErrors } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';
import { MemoryStorage } from '../../src/chat/storage/storage.ts';
import type { WorkspaceChatElement } from '../../src/element.ts';

const disclaimer = 'AI replies can be wrong.';

describe('A message of the team', () => {
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
      const pictures = findAll('.avatar img').map((image) => image.getAttribute('src'));
      await unmountAll();
      return {
        text: picture.textContent,
        src: picture.querySelector('img')?.getAttribute('src') ?? null,
        own: pictures[0],
      };
    };
    const allowed = 'https://images.example/salma.png';
    expect(await pictureOf(allowed)).to.deep.equal({ text: 'S', src: allowed, own });
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

  it('has the initial in place of pictures that are missing, until the page sets others', async () => {
    const { element, findAll } = await open({}, { avatar: '/missing.png', heading: 'Palm & Clay' });
    const pictures = () => findAll<HTMLImageElement>('.avatar img');
    await until(() => pictures().length > 1 && pictures().every((picture) => !picture.checkVisibility()));
    expect(findAll('.avatar').map(({ textContent }) => textContent)).to.include('P');
    element.avatar = '/demo/avatar.svg';
    await until(() => pictures().every((picture) => picture.checkVisibility()));
  });

  it('removes the notice that replies are written by an assistant', async () => {
    const { find } = await open({});
    await until(() => !find('.footer').textContent.includes(disclaimer));
  });
});

it('A conversation that the service has closed offers a new conversation, which replaces it', async () => {
  const { element, find, findAll } = await mount([streamed(started({ state: 'closed' })), streamed(started())]);
  await element.send('Hi');
  const button = await until(() => find<HTMLButtonElement>('.notice button'));
  expect(button.textContent).to.equal('Start a new conversation');
  button.click();
  await until(() => findAll('.message.visitor').length === 0);
  expect(element.conversationId).to.equal(null);
  await until(() => element.shadowRoot!.activeElement === find('textarea'));
});

describe('A visitor who has asked for a person', () => {
  const ask = async (hours: object, attributes: Record<string, string> = {}) => {
    const mounted = await mount([streamed(started({ state: 'handoff_requested' }))], {
      'team-hours': JSON.stringify(hours),
      ...attributes,
    });
    await mounted.element.send('I want to talk to a person');
    return mounted;
  };

  /** No hours but those of the day after tomorrow, so that the team is never there now. */
  const later = () => {
    const day = new Date(Date.now() + 2 * 86_400_000).getUTCDay();
    const name = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][day]!;
    return { timeZone: 'UTC', hours: { [name]: ['12:00-13:00'] } };
  };

  for (const [locale, pattern] of [
    ['en', /The team is back (?:on \w+day|tomorrow) at \d/],
    ['ar', /يعود الفريق (?:يوم|غدًا).* الساعة \d/],
  ] as const)
    it(`reads when the team is back, in the status line and in the transcript (${locale})`, async () => {
      const { find } = await ask(later(), { locale });
      await until(() => pattern.test(find('.status').textContent));
      await until(() => pattern.test(find('[role=log]').textContent));
    });

  it('reads nothing of that while the team is there', async () => {
    const { find, element } = await ask({ timeZone: 'UTC', hours: {} });
    await until(() => find('.status').textContent.includes('teammate'));
    expect(find('.status').textContent).to.not.include('The team is back');
    const always = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map((day) => [day, ['00:00-24:00']]);
    element.teamHours = { timeZone: 'UTC', hours: Object.fromEntries(always) };
    await element.updateComplete;
    expect(find('.status').textContent).to.not.include('The team is back');
  });

  it('reads nothing of hours that are wrong, which the console names', async () => {
    const errors = recordErrors();
    const { find } = await ask({ timeZone: 'UTC', hours: { sunday: ['09:00-17:00'] } });
    await until(() => errors.some((message) => message.includes('hours.sunday')));
    expect(find('.status').textContent).to.not.include('The team is back');
  });
});

it('The relay is not followed by an element that was removed while its conversation was restored', async () => {
  const storage = new MemoryStorage();
  const { element, service } = await mount([streamed(started())]);
  const create = async () => {
    const created = new (element.constructor as typeof WorkspaceChatElement)({ conversationStorage: () => storage });
    for (const { name, value } of element.attributes) created.setAttribute(name, value);
    created.setAttribute('storage', 'indexeddb');
    created.setAttribute('replies-url', '/relay');
    document.body.append(created);
    return created;
  };
  const relayCalls = () => service.calls.filter(({ url }) => new URL(url, location.href).pathname === '/relay');
  const first = await create();
  await first.send('Hi');
  await until(() => relayCalls().length === 1);
  first.remove();
  // The conversation is known, and the records of former ones are still being looked for.
  let endSearch: (() => void) | null = null;
  storage.keys = () =>
    new Promise((resolve) => {
      endSearch = () => resolve([]);
    });
  const second = await create();
  second.suggest([]);
  const end = await until(() => endSearch);
  second.remove();
  await new Promise((resolve) => setTimeout(resolve));
  end();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(relayCalls().length).to.equal(1);
});
