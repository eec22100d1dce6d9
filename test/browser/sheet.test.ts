/** The pages over the conversation: the transcript by e-mail, past conversations, and where focus goes. */
import { expect } from '@open-wc/testing';
import { strings as arabic } from '../../src/locale/ar.ts';
import {
  addMarkup,
  mount,
  press,
  recordErrors,
  type,
  unmountAll,
  until,
  use,
  type Mounted,
} from '../support/pages/element.ts';
import {
  json,
  redirectedToLogin,
  refusal,
  started,
  streamed,
  type FakeResponse,
} from '../support/fakes/fake-service.ts';

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
const reply = { id: 'm2', role: 'assistant', content: 'See [order](https://shop.example/order)' };

/** Opens the page with the past conversations. */
const openSheet = async (replies: readonly FakeResponse[], attributes: Record<string, string> = {}) => {
  const mounted = await mount([...replies], { 'history-url': '/history', ...attributes });
  use(await until(() => mounted.find('.messages > .starter')));
  return mounted;
};

const openList = async (...replies: readonly FakeResponse[]) => {
  const mounted = await openSheet([list, ...replies]);
  return { ...mounted, item: await until(() => mounted.find('.past button')) };
};

const openHistory = async (...replies: readonly FakeResponse[]) => {
  const { item, ...mounted } = await openList(...replies);
  use(item);
  return mounted;
};

/** Opens the form that sends the transcript by e-mail. */
const openForm = async (response = json({}), locale = 'en') => {
  const mounted = await mount([streamed(started()), response], { 'transcript-url': '/transcript', locale });
  await mounted.element.send('Hi');
  const { find, findAll } = mounted;
  const offer = locale === 'ar' ? arabic.mail.offer : 'Send by e-mail';
  const item = await until(() => {
    const menu = find('[aria-haspopup=menu]');
    if (menu.ariaExpanded === 'false') menu.click();
    return findAll('.menu-item').find(({ textContent }) => textContent.trim() === offer);
  });
  use(item);
  const input = await until(() => find<HTMLInputElement>('.sheet-body input'));
  const submit = () => use(find('.sheet-body form button'));
  return { ...mounted, input, submit };
};

const isOnBack = ({ shadowRoot }: Element): boolean => shadowRoot!.activeElement?.classList.contains('back') ?? false;

describe('The transcript by e-mail', () => {
  it('is sent by the site’s backend, with the proof of the conversation and not with its token', async () => {
    const { find, input, submit, service } = await openForm();
    expect(getComputedStyle(find('workspace-chat-transcript')).display).to.equal('none');
    type(input, 'visitor@example.com');
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
      const { find, input, submit } = await openForm(reply, locale);
      type(input, 'visitor@example.com');
      submit();
      await until(() => find('.sheet-body [role=alert]').textContent.includes(expected));
      expect(find<HTMLInputElement>('.sheet-body input').value).to.equal('visitor@example.com');
      await unmountAll();
    }
  });

  it('is not requested for an address that is missing or no address, which the chat says in its own language', async () => {
    const { element, find, input, submit, service } = await openForm(json({}), 'ar');
    submit();
    await until(() => find('.sheet-body [role=alert]').textContent === arabic.fieldProblems.required);
    type(input, 'visitor');
    submit();
    await until(() => find('.sheet-body [role=alert]').textContent === arabic.fieldProblems.email);
    expect([input.ariaInvalid, element.shadowRoot!.activeElement]).to.deep.equal(['true', input]);
    expect(service.calls.length).to.equal(1);
    type(input, 'visitor@example.com');
    submit();
    await until(() => find('.sheet-body p[role=status]:not(:empty)'));
  });
});

describe('The past conversations', () => {
  it('are listed with their day and first line, and open read-only in the same view', async () => {
    const { find, findAll, service } = await openSheet([list, messages]);
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
    const { find, findAll } = await openSheet([json({ conversations })]);
    await until(() => find('.past'));
    for (const text of findAll('.past bdi')) {
      const { lineHeight } = getComputedStyle(text);
      expect(text.clientHeight / parseFloat(lineHeight)).to.be.closeTo(3, 0.2);
    }
  });

  it('are not mixed with the conversation that is open', async () => {
    const { element, find, findAll } = await openSheet([list, messages]);
    (await until(() => find('.past button'))).click();
    await until(() => find('.sheet-body .agent strong'));
    element.closeTopmost();
    await until(() => !find('.sheet-body'));
    expect(findAll('.message.visitor').length).to.equal(0);
    expect(element.conversationId).to.equal(null);
  });

  it('say when there are none, and when they cannot be loaded', async () => {
    const none = await openSheet([json({ conversations: [] })]);
    await until(() => none.find('.sheet-body [role=status]')?.textContent.includes('no past conversations'));
    await unmountAll();
    recordErrors();
    const failed = await openSheet([refusal(401, 'not_authorised')], { locale: 'ar' });
    await until(() => failed.find('.sheet-body [role=alert]'));
    expect(failed.find('.sheet-body [role=alert]').textContent).to.contain('تعذّر تحميل المحادثات السابقة');
  });
});

describe('The focus', () => {
  it('is on “Back” after the transcript was sent, whose button disappears', async () => {
    const { element, find, input, submit } = await openForm();
    type(input, 'visitor@example.com');
    submit();
    const status = find('.sheet-body p[role=status]');
    expect(status.textContent).to.equal('');
    await until(() => status.textContent.includes('visitor@example.com') && isOnBack(element));
  });

  it('is on “Back” when a past conversation cannot be loaded', async () => {
    recordErrors();
    const { element, find } = await openHistory(refusal(500, 'internal_error'));
    await until(() => find('.sheet-body [role=alert]') && isOnBack(element));
  });

  it('is in the composer after Escape in a past conversation', async () => {
    const { element, find } = await openHistory(json({ messages: [reply] }));
    press(await until(() => find('.page:focus')), 'Escape');
    await until(() => !find('.sheet-body') && element.shadowRoot!.activeElement === find('textarea'));
  });

  it('stays on the page when the page erases the conversation', async () => {
    const { element, find } = await openForm();
    const field = addMarkup('<input>');
    field.focus();
    await element.reset();
    await until(() => !find('.sheet-body'));
    await new Promise((resolve) => setTimeout(resolve));
    expect(document.activeElement).to.equal(field);
  });
});

describe('A past conversation', () => {
  it('is not replaced by another one that was requested before', async () => {
    let respond = () => {};
    const late: FakeResponse = ({ signal }) =>
      new Promise((resolve, reject) => {
        respond = () => resolve(Response.json({ messages: [] }));
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const { find } = await openHistory(late, json({ messages: [reply] }));
    use(find('.past button'));
    await until(() => find('.sheet-body .bubble a'));
    respond();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(find('.sheet-body .bubble a')).not.to.equal(null);
  });

  it('that cannot be loaded leads back to the list', async () => {
    recordErrors();
    const { find } = await openHistory(refusal(500, 'internal_error'));
    use(await until(() => find('.sheet-body [role=alert]') && find('.back')));
    await until(() => find('.past button'));
  });
});

it('A table of a past conversation is shown whole above it, and closed with the focus on its button', async () => {
  const cells = Array.from({ length: 40 }, (_, index) => `Column${index}`);
  const content = [cells, cells.map(() => '--'), cells].map((row) => `| ${row.join(' | ')} |\n`).join('');
  const { element, find } = await openHistory(json({ messages: [{ ...reply, content }] }));
  use(await until(() => find('.page .md-table + button')?.checkVisibility() && find('.page .md-table + button')));
  const dialog = await until(() => find<HTMLDialogElement>('.table-dialog:modal'));
  expect(find('.page .md-table')).not.to.equal(null);
  press(dialog, 'Escape');
  await until(() => !find('.table-dialog') && find('.page .md-table + button:focus'));
  expect(element.closeTopmost()).to.equal(true);
  await until(() => !find('.page'));
});

it('Past conversations say that they cannot be loaded when the page removes their URL meanwhile', async () => {
  const errors = recordErrors();
  const { element, find, item } = await openList();
  element.historyUrl = null;
  await element.updateComplete;
  use(item);
  await until(() => find('.sheet-body [role=alert]'));
  expect(errors.length).to.equal(1);
});

describe('A page over the conversation is closed before the panel', () => {
  const ways: Record<string, (find: Mounted['find']) => unknown> = {
    'by Escape in the header': (find) => press(find('[aria-haspopup=menu]'), 'Escape'),
    'by Escape on the panel': (find) => press(find('.panel'), 'Escape'),
    'by a back gesture': (find) => find('.panel').dispatchEvent(new Event('cancel', { cancelable: true })),
  };
  for (const [way, close] of Object.entries(ways))
    it(way, async () => {
      const { element, find } = await mount([list], { 'history-url': '/history', mode: 'floating', open: '' });
      // The panel is rendered before it is shown, and takes no focus until then.
      await until(() => find('.panel:popover-open'));
      use(await until(() => find('.messages > .starter')));
      await until(() => find('.back:focus'));
      close(find);
      await until(() => !find('.sheet-body'));
      expect(element.open).to.equal(true);
      close(find);
      await until(() => !element.open);
    });
});

it('The links of a past conversation can be handled by the page', async () => {
  const { element, find } = await openHistory(json({ messages: [reply] }));
  const urls: string[] = [];
  element.addEventListener('workspace-chat-link', (event) => urls.push(event.url));
  // Nothing is opened.
  addEventListener('click', (event) => event.preventDefault(), { once: true });
  (await until(() => find('.sheet-body .bubble a'))).click();
  expect(urls).to.deep.equal(['https://shop.example/order']);
});

describe('When the page sets another agent', () => {
  const openMenu = async () => {
    const mounted = await mount([streamed(started())]);
    await mounted.element.send('Hi');
    use(mounted.find('[aria-haspopup=menu]'));
    await until(() => mounted.find('.menu-item:focus'));
    return mounted;
  };

  for (const [name, open, selector] of [
    ['the page over the conversation', openForm, '.sheet-body'],
    ['the menu', openMenu, '.menu'],
  ] as const)
    it(`${name} is closed, with the focus in the composer`, async () => {
      const { element, find } = await open();
      element.agentId = 'agt_2';
      await until(() => element.shadowRoot!.activeElement === find('textarea'));
      expect(find(selector)).to.equal(null);
    });

  it('the focus stays on a control of the page in the header, such as a list of agents', async () => {
    const { element, find } = await mount();
    const agents = addMarkup('<select slot="header-start"><option>Sales</option></select>', element);
    agents.focus();
    const before = await until(() => find('textarea'));
    element.agentId = 'agt_2';
    await until(() => find('textarea') && find('textarea') !== before);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(document.activeElement).to.equal(agents);
  });

  it('the focus stays in a panel without a dialog on a touch screen', async () => {
    const { element, find } = await mount();
    const before = find('textarea');
    before.focus();
    const { matchMedia } = globalThis;
    globalThis.matchMedia = (query) => (query === '(pointer: coarse)' ? matchMedia('all') : matchMedia(query));
    try {
      element.agentId = 'agt_2';
      await until(() => find('textarea') !== before && element.shadowRoot!.activeElement === find('textarea'));
    } finally {
      globalThis.matchMedia = matchMedia;
    }
  });

  it('the focus stays on the page', async () => {
    const { element, find } = await mount();
    const field = addMarkup('<input>');
    field.focus();
    const before = await until(() => find('textarea'));
    element.agentId = 'agt_2';
    await until(() => find('textarea') && find('textarea') !== before);
    await new Promise((resolve) => setTimeout(resolve));
    expect(document.activeElement).to.equal(field);
  });
});
