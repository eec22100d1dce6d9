/** The pages over the conversation: where focus goes, and what they have in common with the conversation. */
import { expect } from '@open-wc/testing';
import { addMarkup, mount, press, recordErrors, type, until, type Mounted } from '../support/pages/element.ts';
import { json, refusal, started, streamed, type FakeResponse } from '../support/fakes/fake-service.ts';

const list = json({ conversations: [{ id: 'cnv_7', started_at: '2026-03-04T10:00:00Z', text: 'Hi' }] });
const reply = { id: 'm2', role: 'assistant', content: 'See [order](https://shop.example/order)' };

const use = (control: HTMLElement): void => {
  control.focus();
  control.click();
};

const openList = async (...replies: readonly FakeResponse[]) => {
  const mounted = await mount([list, ...replies], { 'history-url': '/history' });
  use(await until(() => mounted.find('.messages > .starter')));
  return { ...mounted, item: await until(() => mounted.find('.past button')) };
};

const openHistory = async (...replies: readonly FakeResponse[]) => {
  const { item, ...mounted } = await openList(...replies);
  use(item);
  return mounted;
};

const openForm = async () => {
  const mounted = await mount([streamed(started()), json({})], { 'transcript-url': '/transcript' });
  await mounted.element.send('Hi');
  const item = await until(() => {
    const menu = mounted.find('[aria-haspopup=menu]');
    if (menu.ariaExpanded === 'false') menu.click();
    return mounted.findAll('.menu-item').find(({ textContent }) => textContent.trim() === 'Send by e-mail');
  });
  use(item);
  return { ...mounted, input: await until(() => mounted.find<HTMLInputElement>('.sheet-body input')) };
};

const isOnBack = ({ shadowRoot }: Element): boolean => shadowRoot!.activeElement?.classList.contains('back') ?? false;

describe('The focus', () => {
  it('is on “Back” after the transcript was sent, whose button disappears', async () => {
    const { element, find, input } = await openForm();
    type(input, 'visitor@example.com');
    use(find('.sheet-body form button'));
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
