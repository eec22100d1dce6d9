import { expect } from '@open-wc/testing';
import { MessageList, type Entry } from '../../src/elements/message-list.ts';

/** The list is rendered without the elements of the messages, so these are never read. */
const shownIn = { isPending: false } as Pick<Entry, 'chat' | 'view' | 'isPending'>;

describe('The message list', () => {
  const entries = (from: number, to: number): Entry[] =>
    Array.from({ length: to - from }, (_, index) => ({
      ...shownIn,
      key: `m${from + index}`,
      message: { role: 'notice', key: `m${from + index}`, at: 0, code: 'closed' },
    }));

  const keysOf = (container: HTMLElement) =>
    Array.from(container.children, (page) =>
      Array.from(page.children, (element) => (element as unknown as { entry: Entry }).entry.message?.key ?? 'live'),
    );

  const show = () => {
    const container = document.createElement('div');
    const list = new MessageList();
    return { container, show: (shown: Entry[], hiddenCount = 0) => list.update(container, shown, hiddenCount) };
  };

  it('keeps every page boundary and every element when older messages are added', () => {
    const { container, show: showEntries } = show();
    const all = entries(0, 120);
    showEntries(all.slice(90), 90);
    expect(keysOf(container).map(({ length }) => length)).to.eql([10, 20]);
    const before = [...container.querySelectorAll('.page > *')];
    showEntries(all);
    expect(keysOf(container).map(({ length }) => length)).to.eql([50, 50, 20]);
    expect([...container.querySelectorAll('.page > *')].slice(-30)).to.eql(before);
  });

  it('reuses the element of a streaming reply for the finished message', () => {
    const { container, show: showEntries } = show();
    showEntries([{ ...shownIn, key: 'm0', message: null }]);
    const [live] = container.querySelectorAll('.page > *');
    showEntries(entries(0, 1));
    expect(container.querySelector('.page > *')).to.equal(live);
    expect(keysOf(container)).to.eql([['m0']]);
  });

  it('moves only the message that is sent again', () => {
    const { container, show: showEntries } = show();
    const [first, ...others] = entries(0, 4);
    showEntries([first!, ...others]);
    const [moving, ...staying] = container.querySelectorAll('.page > *');
    const moved: Node[] = [];
    const observer = new MutationObserver(() => {});
    observer.observe(container, { childList: true, subtree: true });
    showEntries([...others, first!]);
    for (const { addedNodes } of observer.takeRecords()) {
      moved.push(...[...addedNodes].filter((node) => node instanceof Element));
    }
    expect(moved).to.eql([moving]);
    expect([...container.querySelectorAll('.page > *')]).to.eql([...staying, moving]);
  });

  it('changes only the pages whose messages change', () => {
    const { container, show: showEntries } = show();
    const all = entries(0, 120);
    showEntries(all);
    const isSet: (string | undefined)[] = [];
    for (const element of container.querySelectorAll('.page > *')) {
      const { entry } = element as unknown as { entry: Entry };
      const onSet = (next: Entry) => {
        isSet.push(next.key);
      };
      Object.defineProperty(element, 'entry', { get: () => entry, set: onSet });
    }
    showEntries([...all.slice(0, 119), { ...all[119]!, isPending: true }]);
    expect(isSet).to.eql(all.slice(100).map(({ key }) => key));
  });

  it('shows each message once when messages move between pages', () => {
    const { container, show: showEntries } = show();
    const all = entries(0, 51);
    for (const shown of [all, all.slice(1), all, all.toReversed(), [], all]) {
      showEntries(shown);
      expect(keysOf(container).flat()).to.eql(shown.map(({ key }) => key));
    }
  });
});
