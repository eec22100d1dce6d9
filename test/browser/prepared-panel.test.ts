import { expect } from '@open-wc/testing';
import type { WorkspaceChatElement } from '../../src/element.ts';
import { mount, unmountAll, until, type Mounted } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

const floating = { mode: 'floating', storage: 'indexeddb' };

/** What the page may change between the preparation and the opening. */
const changes: Record<string, (element: WorkspaceChatElement) => void> = {
  locale: (element) => (element.locale = 'ar'),
  agent: (element) => (element.agentId = 'agt_2'),
  heading: (element) => (element.heading = 'Ask us'),
  strings: (element) => (element.strings = { en: { greeting: 'Welcome' }, ar: { greeting: 'أهلا' } }),
  starters: (element) => element.setAttribute('starters', '["Opening hours"]'),
};
const names = Object.keys(changes);
/** Nothing, each change alone, and all of them. */
const subsets = [[], ...names.map((name) => [name]), names];

/** Points at the launcher, as a mouse does before a click, and waits for what that prepares. */
const prepare = async ({ find }: Mounted): Promise<void> => {
  const launcher = await until(() => find('.launcher'));
  launcher.dispatchEvent(new PointerEvent('pointerenter'));
  await until(() => find('textarea'));
};

/** What the open panel shows, once the conversation is restored. */
const shown = async ({ element, find }: Mounted): Promise<string[]> => {
  element.show();
  await until(() => find('dialog')?.matches(':popover-open') && find('.welcome'));
  await until(() => find('[role=status]'));
  const { dir, lang } = find('dialog');
  // What is announced is gone after a moment.
  const visible = find('dialog').cloneNode(true) as HTMLElement;
  for (const region of visible.querySelectorAll('[role=status], [role=alert]')) region.remove();
  const labels = [...find('dialog').querySelectorAll('[aria-label]')].map((each) => each.getAttribute('aria-label'));
  return [dir, lang, visible.textContent.replace(/\s+/g, ' ').trim(), ...labels.map(String)];
};

describe('The panel that is prepared before it is opened', () => {
  it('is rendered and hidden when the visitor points at the launcher, and opens no database', async () => {
    const chat = await mount([], { ...floating, 'agent-id': 'agt_unused' });
    await chat.element.ready;
    const before = await indexedDB.databases();
    const opened: Event[] = [];
    chat.element.addEventListener('workspace-chat-open', (event) => opened.push(event));
    await prepare(chat);
    expect(chat.find('dialog').checkVisibility()).to.equal(false);
    expect(chat.find('.launcher').checkVisibility()).to.equal(true);
    expect(chat.find('.launcher-box').matches(':popover-open')).to.equal(true);
    expect(chat.findAll('.message')).to.have.length(0);
    expect(opened).to.have.length(0);
    expect(chat.element.conversationState).to.equal(null);
    expect(await indexedDB.databases()).to.deep.equal(before);
    expect(chat.service.calls).to.have.length(0);
  });

  it('shows the same as a panel that was not prepared, whatever the page changes before it is opened', async () => {
    for (const subset of subsets) {
      const apply = ({ element }: Mounted) => {
        for (const name of subset) changes[name]!(element);
      };
      const plain = await mount([], { ...floating, storage: 'memory' });
      apply(plain);
      const expected = await shown(plain);
      await unmountAll();
      const prepared = await mount([], { ...floating, storage: 'memory' });
      await prepare(prepared);
      apply(prepared);
      expect(await shown(prepared), subset.join(' and ')).to.deep.equal(expected);
      await unmountAll();
    }
  });

  it('shows the reply to the first message, and fires one event for it', async () => {
    const chat = await mount([streamed(started(), 'Hello', ' there')], { ...floating, storage: 'memory' });
    await prepare(chat);
    const events: string[] = [];
    chat.element.addEventListener('workspace-chat-message', () => events.push('message'));
    chat.element.show();
    await chat.element.send('Hi');
    await until(() => chat.find('.text')?.textContent === 'Hello there');
    expect(events).to.deep.equal(['message']);
  });

  it('stays hidden, and shows nothing of the earlier conversation, when the page changes the agent', async () => {
    const chat = await mount([streamed(started(), 'Hello', ' there')], { ...floating, storage: 'memory' });
    chat.element.show();
    await chat.element.send('Hi');
    await until(() => chat.findAll('workspace-chat-message').length === 2);
    chat.element.hide();
    chat.element.agentId = 'agt_3';
    await chat.element.updateComplete;
    await until(() => chat.findAll('workspace-chat-message').length === 0);
    await until(() => !chat.find('dialog').checkVisibility());
  });
});

describe('The first paint of the panel', () => {
  const { get } = IDBObjectStore.prototype;

  afterEach(() => {
    IDBObjectStore.prototype.get = get;
  });

  /** Opens the panel by the launcher, and returns what is visible in the first frame in which it is open. */
  const firstFrame = async ({ find, findAll }: Mounted) => {
    const launcher = await until(() => find('.launcher'));
    launcher.click();
    await until(() => find('dialog')?.matches(':popover-open'));
    return [...findAll('.welcome'), ...findAll('.starter'), ...findAll('.message')]
      .filter((each) => each.checkVisibility())
      .map(({ textContent }) => textContent.trim());
  };

  const texts = { greeting: 'Welcome', starters: '["Opening hours"]' };

  it('has the greeting and the starters when nothing is stored, before the storage is read', async () => {
    const chat = await mount([], { ...floating, ...texts, 'agent-id': 'agt_first_paint' });
    await chat.element.ready;
    // The storage hangs: nothing that is shown depends on it.
    IDBObjectStore.prototype.get = () => ({}) as IDBRequest<unknown>;
    await prepare(chat);
    expect(await firstFrame(chat)).to.deep.equal(['Welcome', 'Opening hours']);
  });

  it('has no greeting of an empty conversation when one is stored', async () => {
    const stored = { ...floating, ...texts, 'agent-id': 'agt_stored' };
    // The panel is open, so the reply is read, and the next page does not load the chat by itself.
    const first = await mount([streamed(started(), 'Hello', ' there')], { ...stored, open: '' });
    await first.element.send('Hi');
    await unmountAll();
    const chat = await mount([], stored);
    await chat.element.ready;
    IDBObjectStore.prototype.get = () => ({}) as IDBRequest<unknown>;
    await prepare(chat);
    expect(await firstFrame(chat)).to.deep.equal([]);
  });
});
