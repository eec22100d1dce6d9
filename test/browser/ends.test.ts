/** What a page offers around a conversation: a rating, a notice, the transcript by e-mail, and past conversations. */
import { expect } from '@open-wc/testing';
import type { WorkspaceChatRatingEvent } from '../../src/element.ts';
import { mount, recordErrors, press, type as typeText, unmountAll, until } from '../support/pages/element.ts';
import { pageVisibility } from '../../src/chat/visibility.ts';
import { strings as arabic } from '../../src/locale/ar.ts';
import { fakeNotifications, type FakeNotifications } from '../support/fakes/fake-notifications.ts';
import {
  json,
  redirectedToLogin,
  refusal,
  response,
  started,
  streamed,
  type FakeResponse,
} from '../support/fakes/fake-service.ts';

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

describe('The transcript by e-mail', () => {
  const openForm = async (reply: FakeResponse, attributes: Record<string, string> = {}) => {
    const mounted = await mount([streamed(started()), reply], { 'transcript-url': '/transcript', ...attributes });
    await mounted.element.send('Hi');
    const { find, findAll } = mounted;
    const offer = attributes['locale'] === 'ar' ? 'إرسال بالبريد الإلكتروني' : 'Send by e-mail';
    const item = await until(() => {
      const menu = find<HTMLButtonElement>('[aria-haspopup=menu]');
      if (menu.getAttribute('aria-expanded') === 'false') menu.click();
      return findAll('.menu-item').find(({ textContent }) => textContent.trim() === offer);
    });
    item.click();
    const input = await until(() => find<HTMLInputElement>('.sheet-body input'));
    const submit = () => find<HTMLButtonElement>('.sheet-body form button').click();
    return { ...mounted, input, submit };
  };

  it('is sent by the site’s backend, with the proof of the conversation and not with its token', async () => {
    const { find, input, submit, service } = await openForm(json({}));
    expect(getComputedStyle(find('workspace-chat-transcript')).display).to.equal('none');
    typeText(input, 'visitor@example.com');
    submit();
    await until(() => find('.sheet-body [role=status]:not(:empty)'));
    expect(find('.sheet-body [role=status]').textContent).to.contain('visitor@example.com');
    const { url, headers, body } = service.calls.at(-1)!;
    expect(new URL(url).pathname).to.equal('/transcript');
    expect(body).to.deep.equal({ conversation_id: 'cnv_1', email: 'visitor@example.com', language: 'en' });
    expect(headers.get('x-conversation-proof')).to.match(/^[\w-]{43}$/);
    expect(JSON.stringify([...headers]) + JSON.stringify(body)).to.not.contain('tok_1');
  });

  it('says why it was not sent, in Arabic too, and keeps the address', async () => {
    for (const [reply, locale, expected] of [
      [refusal(403, 'not_allowed'), 'en', 'only be sent to the address of your account'],
      [refusal(500, 'internal_error'), 'en', 'could not be sent'],
      [redirectedToLogin, 'en', 'could not be sent'],
      [refusal(403, 'not_allowed'), 'ar', 'بريد حسابك'],
    ] as const) {
      const { find, input, submit } = await openForm(reply, { locale });
      typeText(input, 'visitor@example.com');
      submit();
      await until(() => find('.sheet-body [role=alert]').textContent.includes(expected));
      expect(find<HTMLInputElement>('.sheet-body input').value).to.equal('visitor@example.com');
      await unmountAll();
    }
  });

  it('is not requested for an address that is missing or no address, which the chat says in its own language', async () => {
    const { element, find, input, submit, service } = await openForm(json({}), { locale: 'ar' });
    submit();
    await until(() => find('.sheet-body [role=alert]').textContent === arabic.fieldProblems.required);
    typeText(input, 'visitor');
    submit();
    await until(() => find('.sheet-body [role=alert]').textContent === arabic.fieldProblems.email);
    expect([input.ariaInvalid, element.shadowRoot!.activeElement]).to.deep.equal(['true', input]);
    expect(service.calls.length).to.equal(1);
    typeText(input, 'visitor@example.com');
    submit();
    await until(() => find('.sheet-body p[role=status]:not(:empty)'));
  });

  it('is closed by Escape and by the back button of an app, without closing the panel', async () => {
    const { element, find, input } = await openForm(json({}));
    expect(press(input, 'Escape').defaultPrevented).to.equal(true);
    await until(() => !find('.sheet-body'));
    expect(find('textarea')).to.not.equal(null);
    expect(element.closeTopmost()).to.equal(false);
  });
});

describe('The past conversations', () => {
  const list = json({
    conversations: [
      { id: 'cnv_7', started_at: '2026-03-04T10:00:00Z', text: 'Where is my order?' },
      { id: 'cnv_6', started_at: '2026-03-01T10:00:00Z', text: 'أين طلبي؟' },
      { broken: true },
    ],
  });
  const messages = json({
    messages: [
      { id: 'm1', role: 'user', content: 'Where is my order?', created_at: '2026-03-04T10:00:00Z' },
      {
        id: 'm2',
        role: 'assistant',
        content: '**On its way**',
        created_at: '2026-03-04T10:00:05Z',
        blocks: [
          { type: 'form', fields: [{ name: 'email', label: 'Email', kind: 'email' }] },
          { type: 'links', links: [{ label: 'Track it', url: 'https://shop.example/track' }] },
        ],
      },
    ],
  });

  const open = async (replies: FakeResponse[], attributes: Record<string, string> = {}) => {
    const mounted = await mount(replies, { 'history-url': '/history', ...attributes });
    (await until(() => mounted.findAll<HTMLButtonElement>('.messages > .starter').at(0))).click();
    return mounted;
  };

  it('are listed with their day and first line, and open read-only in the same view', async () => {
    const { find, findAll, service } = await open([list, messages]);
    await until(() => find('.past'));
    expect(findAll('.past bdi').map(({ textContent }) => textContent.trim())).to.deep.equal([
      'Where is my order?',
      'أين طلبي؟',
    ]);
    find<HTMLButtonElement>('.past button').click();
    await until(() => find('.sheet-body .agent strong'));
    expect(new URL(service.calls.at(-1)!.url).search).to.equal('?conversation_id=cnv_7');
    expect(findAll('.sheet-body form, .sheet-body textarea').length).to.equal(0);
    expect(find('.sheet-body a.link').textContent.trim()).to.equal('Track it');
    find<HTMLButtonElement>('.sheet-head .back').click();
    await until(() => find('.past'));
    find<HTMLButtonElement>('.sheet-head .back').click();
    await until(() => !find('.sheet-body'));
  });

  it('are listed with three lines of a long first line, whatever its language', async () => {
    const long = ['A question. '.repeat(60), 'سؤال عن الطلب. '.repeat(60)];
    const conversations = long.map((text, index) => ({ id: `c${index}`, started_at: '2026-06-01T10:00:00Z', text }));
    const { find, findAll } = await open([json({ conversations })]);
    await until(() => find('.past'));
    for (const text of findAll('.past bdi')) {
      const { lineHeight } = getComputedStyle(text);
      expect(text.clientHeight / parseFloat(lineHeight)).to.be.closeTo(3, 0.2);
    }
  });

  it('are not mixed with the conversation that is open', async () => {
    const { element, find, findAll } = await open([list, messages]);
    (await until(() => find('.past button'))).click();
    await until(() => find('.sheet-body .agent strong'));
    element.closeTopmost();
    await until(() => !find('.sheet-body'));
    expect(findAll('.message.visitor').length).to.equal(0);
    expect(element.conversationId).to.equal(null);
  });

  it('say when there are none, and when they cannot be loaded', async () => {
    const none = await open([json({ conversations: [] })]);
    await until(() => none.find('.sheet-body [role=status]')?.textContent.includes('no past conversations'));
    await unmountAll();
    recordErrors();
    const failed = await open([refusal(401, 'not_authorised')], { locale: 'ar' });
    await until(() => failed.find('.sheet-body [role=alert]'));
    expect(failed.find('.sheet-body [role=alert]').textContent).to.contain('تعذّر تحميل المحادثات السابقة');
  });
});

describe('The focus, when the visitor has used what the page offers,', () => {
  const clear = async () => {
    await unmountAll();
    localStorage.clear();
  };
  let browser: FakeNotifications;
  beforeEach(async () => {
    await clear();
    browser = fakeNotifications();
  });
  afterEach(async () => {
    browser.remove();
    await clear();
  });

  const focusOf = ({ shadowRoot }: Element): string => shadowRoot!.activeElement?.localName ?? 'nothing';

  const use = (control: HTMLElement): void => {
    control.focus();
    control.click();
  };

  it('is in the composer after “I agree”, a rating, and the refusal of a notice', async () => {
    const consent = JSON.stringify({ text: 'Please agree.', version: '1' });
    const replies = [streamed(started()), streamed(response({ state: 'closed' }))];
    const attributes = { mode: 'floating', open: '', consent, rating: '', notify: '' };
    const { element, find, findAll } = await mount(replies, attributes);
    use(await until(() => find('.consent button')));
    await until(() => focusOf(element) === 'textarea');
    await element.send('Hi');
    await until(() => find('.notify'));
    use(findAll('.notify button')[1]!);
    await until(() => !find('.notify') && focusOf(element) === 'textarea');
    await element.send('Bye');
    use(await until(() => find('.rating .good')));
    use(await until(() => find('.rating form button')));
    await until(() => find('.rating[role=status]') && focusOf(element) === 'textarea');
  });

  it('is on “Back” of a page over the conversation, then in the composer', async () => {
    const attributes = { 'history-url': '/history', mode: 'floating', open: '' };
    const { element, find } = await mount([json({ conversations: [] })], attributes);
    const starter = await until(() => find('.starter'));
    // In a panel that is not shown yet, nothing can have the focus.
    await until(() => starter.clientHeight > 0);
    use(starter);
    await until(() => find('.sheet-body [role=status]'));
    await until(() => element.shadowRoot!.activeElement?.classList.contains('back'));
    use(find('.back'));
    await until(() => !find('.sheet-body') && focusOf(element) === 'textarea');
  });
});
