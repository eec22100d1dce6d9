/** What a page offers around a conversation: a rating, and a notice. */
import { expect } from '@open-wc/testing';
import type { WorkspaceChatRatingEvent } from '../../src/element.ts';
import { mount, unmountAll, until, use } from '../support/pages/element.ts';
import { pageVisibility } from '../../src/chat/visibility.ts';
import { fakeNotifications, type FakeNotifications } from '../support/fakes/fake-notifications.ts';
import { response, started, streamed } from '../support/fakes/fake-service.ts';

describe('The rating of a conversation', () => {
  const end = async (attributes: Record<string, string> = { rating: '' }) => {
    const mounted = await mount([streamed(started()), streamed(response({ state: 'closed' }))], attributes);
    const events: WorkspaceChatRatingEvent[] = [];
    mounted.element.addEventListener('workspace-chat-rating', (event) => events.push(event));
    await mounted.element.send('Hi');
    expect(mounted.find('.rating')).to.equal(null);
    await mounted.element.send('Bye');
    return { ...mounted, events };
  };

  it('is asked for when it has ended, and reported at once and with the comment', async () => {
    const { find, events } = await end();
    (await until(() => find<HTMLButtonElement>('.rating .bad'))).click();
    const input = await until(() => find<HTMLInputElement>('.rating input'));
    input.value = ' Too slow ';
    const status = find('workspace-chat-rating [role=status]');
    expect(status.textContent).to.equal('');
    find<HTMLButtonElement>('.rating form button').click();
    await until(() => find('.rating[role=status]') === status);
    expect(find('.rating').textContent).to.equal('Thank you for your rating.');
    expect(events.map((event) => [event.conversationId, event.rating, event.comment])).to.deep.equal([
      ['cnv_1', -1, ''],
      ['cnv_1', -1, 'Too slow'],
    ]);
  });

  it('is asked for when the team hands back, in Arabic', async () => {
    const { element, find } = await mount(
      [streamed(started()), streamed(response({ state: 'human_active' })), streamed(response({ state: 'ai_active' }))],
      { rating: '', locale: 'ar' },
    );
    for (const text of ['1', '2', '3']) await element.send(text);
    const rating = await until(() => find('.rating'));
    expect(rating.querySelector('p')!.textContent).to.equal('كيف كانت هذه المحادثة؟');
  });

  it('is not asked for where the page does not want it', async () => {
    const { find } = await end({});
    await until(() => find('.notice'));
    expect(find('workspace-chat-rating')).to.equal(null);
  });
});

describe('A notice for a hidden page', () => {
  let browser: FakeNotifications;

  const setHidden = (isHidden: boolean) => {
    Object.defineProperty(document, 'hidden', { value: isHidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  };

  beforeEach(() => {
    browser = fakeNotifications();
    localStorage.removeItem('workspace-chat-notify');
  });
  afterEach(() => {
    Reflect.deleteProperty(document, 'hidden');
    browser.remove();
    localStorage.removeItem('workspace-chat-notify');
  });

  const open = async (attributes: Record<string, string> = {}, second = response()) => {
    const mounted = await mount([streamed(started()), streamed(second)], {
      mode: 'floating',
      open: '',
      notify: '',
      heading: 'Palm & Clay',
      ...attributes,
    });
    await until(() => mounted.find('textarea'));
    return mounted;
  };

  it('is offered after the first message, and asked for only in the click', async () => {
    const { element, find } = await open();
    expect(find('.notify')).to.equal(null);
    await element.send('Hi');
    const offer = await until(() => find('.notify'));
    expect(browser.permission).to.equal('default');
    offer.querySelector('button')!.click();
    await until(() => !find('.notify'));
    expect(browser.permission).to.equal('granted');
  });

  it('is not offered when the conversation has ended', async () => {
    const { element, find } = await open({}, response({ state: 'closed' }));
    await element.send('Hi');
    await until(() => find('.notify'));
    await element.send('Bye');
    await until(() => !find('.notify'));
  });

  it('names who has replied and not what, and opens the chat when it is clicked', async () => {
    const { element, find } = await open();
    await element.send('Hi');
    (await until(() => find('.notify button'))).click();
    await until(() => !find('.notify'));
    element.hide();
    await element.send('Seen');
    expect(browser.shown.length).to.equal(0);
    setHidden(true);
    element.receive({ id: 'm9', role: 'assistant', actor_type: 'owner', content: 'Secret', author: { name: 'Salma' } });
    await until(() => browser.shown.length === 1);
    expect(browser.shown[0]!.title).to.equal('\u2068Salma\u2069 has replied');
    expect(JSON.stringify(browser.shown)).to.not.contain('Secret');
    browser.shown[0]!.click();
    expect(element.open).to.equal(true);
  });

  it('keeps the relay connected while the page is hidden', () => {
    const [pausing, awake] = [pageVisibility(), pageVisibility(() => true)];
    const paused: string[] = [];
    pausing.onHidden(() => paused.push('without notices'));
    awake.onHidden(() => paused.push('with notices'));
    setHidden(true);
    expect(paused).to.deep.equal(['without notices']);
    pausing.close();
    awake.close();
  });

  it('is not offered again after a refusal, and says so when the browser blocks it', async () => {
    const { element, find, findAll } = await open();
    await element.send('Hi');
    await until(() => find('.notify'));
    findAll('.notify button')[1]!.click();
    await until(() => !find('.notify'));
    await unmountAll();
    const second = await open();
    await second.element.send('Hi');
    await until(() => second.find('.agent .text'));
    expect(second.find('.notify')).to.equal(null);
    await unmountAll();
    localStorage.removeItem('workspace-chat-notify');
    browser.answer = 'denied';
    const third = await open();
    await third.element.send('Hi');
    (await until(() => third.find('.notify button'))).click();
    await until(() => third.find('.notify[role=status]'));
    expect(third.find('.notify').textContent).to.contain('does not allow notices');
  });
});

it('The focus is in the composer after “I agree”, a rating, and the refusal of a notice', async () => {
  localStorage.clear();
  const browser = fakeNotifications();
  const consent = JSON.stringify({ text: 'Please agree.', version: '1' });
  const replies = [streamed(started()), streamed(response({ state: 'closed' }))];
  const attributes = { mode: 'floating', open: '', consent, rating: '', notify: '' };
  const { element, find, findAll } = await mount(replies, attributes);
  const isInComposer = () => element.shadowRoot!.activeElement?.localName === 'textarea';
  use(await until(() => find('.consent button')));
  await until(isInComposer);
  await element.send('Hi');
  await until(() => find('.notify'));
  use(findAll('.notify button')[1]!);
  await until(() => !find('.notify') && isInComposer());
  await element.send('Bye');
  use(await until(() => find('.rating .good')));
  use(await until(() => find('.rating form button')));
  await until(() => find('.rating[role=status]') && isInComposer());
  browser.remove();
  await unmountAll();
  localStorage.clear();
});
