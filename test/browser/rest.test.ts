import { activity, pause } from '../support/pages/counted-page.ts';
import { expect } from '@open-wc/testing';
import { describeActivity } from '../support/pages/activity.ts';
import { mount as mountElement, press, unmountAll, until, type Mounted } from '../support/pages/element.ts';
import { openStream, replyWith, started, streamed, unreachable } from '../support/fakes/fake-service.ts';

/** Milliseconds until a state has settled, and for which it is watched: longer than the longest period in the code, the 5 s of the sign of life. */
const settling = 3_000;
const watched = 6_000;

/** Chats with one agent are one conversation, and wait for each other's turns. So each one has an agent of its own. */
let agents = 0;
const mount: typeof mountElement = (responses, attributes) =>
  mountElement(responses, { 'agent-id': `agt_rest_${agents++}`, ...attributes });

const floating = { mode: 'floating' };
const blocks = [
  { type: 'form', fields: [{ key: 'name', label_en: 'Name', label_ar: 'الاسم', kind: 'text', options: [] }] },
  { type: 'open_times', times: [{ start: '2026-12-01T09:00:00+04:00' }, { start: '2026-12-01T10:00:00+04:00' }] },
  { type: 'options', prompt: 'Which one?', options: [{ label: 'Vase' }, { label: 'Cup' }] },
  { type: 'status_card', title: 'Order', status: 'Shipped', updated_at: '2026-11-20T09:00:00Z' },
  { type: 'products', items: [{ name: 'Vase', price: 12, currency: 'OMR' }] },
  { type: 'links', links: [{ label: 'Returns', url: 'https://shop.example/returns' }] },
  { type: 'unheard_of', title: 'A block of tomorrow' },
];

/** Receives messages of the team until there are `count`. */
const fill = async ({ element, findAll }: Mounted, count: number): Promise<void> => {
  await element.send('Hi');
  for (let index = 2; index < count; index++) {
    const message = { id: `m${index}`, role: 'assistant', content: `Message ${index}`, actor_type: 'owner' };
    element.receive({ ...message, conversation_id: element.conversationId });
  }
  // The notice that a person has joined is one more.
  await until(() => findAll('workspace-chat-message').length >= count);
};

const openPanel = async ({ element, find }: Mounted): Promise<void> => {
  element.show();
  await until(() => find('dialog')?.matches(':popover-open'));
};

const inside = (parent: HTMLElement, chat: Mounted): void => {
  document.body.append(parent);
  parent.append(chat.element.parentElement!);
};

/** Brings an element into each of the states that a page can leave it in. */
const states: Record<string, () => Promise<unknown>> = {
  closed: async () => (await mount([], floating)).element.ready,
  'prepared by the pointer': async () => {
    const { find } = await mount([], floating);
    find('.launcher').dispatchEvent(new PointerEvent('pointerenter'));
    await until(() => find('textarea'));
  },
  'closed after it was open': async () => {
    const chat = await mount([], floating);
    await openPanel(chat);
    chat.element.hide();
    await until(() => !chat.find('dialog').matches(':popover-open'));
  },
  'open without messages': async () => openPanel(await mount([], floating)),
  'open with two messages': async () => (await mount([streamed(started(), 'Hello')])).element.send('Hi'),
  'open with 200 messages': async () => fill(await mount([streamed(started())]), 200),
  'open with 1,000 messages': async () => fill(await mount([streamed(started())]), 1000),
  'scrolled up': async () => {
    const chat = await mount([streamed(started())]);
    await fill(chat, 60);
    await until(() => {
      chat.find('.scroller').scrollTop = 0;
      return chat.find('.to-end');
    });
  },
  'with each block': async () => {
    const { element, findAll } = await mount([replyWith('Look', { blocks })]);
    await element.send('Hi');
    await until(() => findAll('[part~=block]').length >= blocks.length - 1);
  },
  'with a failed message': async () => {
    const { element, find } = await mount([unreachable, unreachable, unreachable, unreachable, unreachable]);
    await element.send('Hi');
    await until(() => find('.failure'));
  },
  'with a teaser': async () => {
    const { find } = await mount([], { ...floating, teaser: 'Can we help?', 'teaser-delay': '100' });
    await until(() => find('.teaser'));
  },
  'with a badge': async () => {
    const { element, find } = await mount([streamed(started())], floating);
    await element.send('Hi');
    await until(() => find('.badge'));
  },
  fullscreen: async () => mount([], { mode: 'fullscreen' }),
  'in Arabic': async () => (await mount([streamed(started(), 'أهلًا')], { locale: 'ar' })).element.send('مرحبا'),
  'with a hidden launcher': async () => (await mount([], { ...floating, 'hide-launcher': '' })).element.ready,
  'in a parent that is not displayed': async () => {
    const chat = await mount([streamed(started())]);
    await chat.element.send('Hi');
    chat.element.parentElement!.style.display = 'none';
  },
  'in closed details': async () => inside(document.createElement('details'), await mount([])),
  'in a closed dialog': async () => inside(document.createElement('dialog'), await mount([])),
  'in a box without a size': async () => {
    const chat = await mount([]);
    Object.assign(chat.element.parentElement!.style, { inlineSize: '0', blockSize: '0', overflow: 'hidden' });
  },
  'after a reset': async () => {
    const { element } = await mount([streamed(started())]);
    await element.send('Hi');
    await element.reset();
  },
  'after a logout': async () => {
    const { element } = await mount([streamed(started())]);
    await element.send('Hi');
    await element.logout();
  },
  'with an open menu': async () => {
    const { find } = await mount([]);
    find<HTMLButtonElement>('[aria-haspopup=menu]').click();
    await until(() => find('[role=menu]'));
  },
  'with a draft': async () => {
    const { element, find } = await mount([]);
    element.setDraft('Half a sentence');
    await until(() => find<HTMLTextAreaElement>('textarea').value);
    press(find('textarea'), 'Shift');
  },
  'ten times on a page': async () => {
    for (let count = 0; count < 10; count++) await mount([], floating);
  },
  'removed from the page': async () => {
    const { element, find } = await mount([streamed(started())]);
    await element.send('Hi');
    await until(() => find('.meta'));
    element.remove();
  },
  'changed to another mode': async () => {
    const { element, find } = await mount([streamed(started())]);
    await element.send('Hi');
    element.mode = 'floating';
    element.open = true;
    await until(() => find('dialog'));
    element.mode = 'inline';
    await until(() => find('section.panel'));
  },
};

/** A turn that waits for the visitor. It tells the other tabs now and then that its tab is alive. */
const askForConsent = async (): Promise<void> => {
  const stream = openStream();
  const { element, find } = await mount([stream.reply]);
  element.registerTool({ name: 'look_up', confirm: true, run: () => ({}) });
  void element.send('Hi');
  await pause(100);
  const call = { call_id: 'call_1', name: 'look_up', arguments: {}, timeout_ms: 120_000, conversation_id: 'cnv_1' };
  stream.write('client_tool', { ...call, conversation_token: 'tok_1' });
  await until(() => find('.tool-prompt'));
};

/** All states are on one page, so that they are watched together. */
describe('The element at rest', () => {
  after(async () => {
    await unmountAll();
    for (const parent of document.querySelectorAll('body > details, body > dialog')) parent.remove();
  });

  for (const [name, enter] of Object.entries(states))
    it(`can be ${name}`, async function () {
      this.timeout(30_000);
      await enter();
    });

  it('runs nothing in any of these states', async function () {
    this.timeout(60_000);
    await pause(settling);
    activity.length = 0;
    await pause(watched);
    expect(describeActivity(activity)).to.equal('');
  });

  it('runs only the sign of life for other tabs while a tool asks for consent', async function () {
    this.timeout(60_000);
    await askForConsent();
    await pause(settling);
    activity.length = 0;
    await pause(watched);
    const kinds = activity.map(({ kind }) => kind);
    expect(new Set(kinds)).to.eql(new Set(['setTimeout', 'broadcast']));
    expect(kinds.length).to.be.at.most(4);
  });
});
