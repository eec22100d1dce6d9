import { expect } from '@open-wc/testing';
import { mount, press, unmountAll, until, type Mounted } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

describe('The menu', () => {
  const open = async () => {
    const sources = [{ file_id: 'f1', filename: 'visiting.md', title: 'Visiting', url: 'https://shop.example/' }];
    const mounted = await mount([streamed(started({ sources }))]);
    await mounted.element.send('Hi');
    mounted.find<HTMLButtonElement>('[aria-haspopup=menu]').click();
    const items = await until(() => {
      const found = mounted.findAll<HTMLButtonElement>('.menu-item');
      return found.length > 0 && found;
    });
    await until(() => mounted.element.shadowRoot!.activeElement === items[0]);
    return { ...mounted, items };
  };

  it('is navigated with arrow keys, and closes on Escape without closing the panel', async () => {
    const { element, items, find } = await open();
    press(items[0]!, 'ArrowDown');
    expect(element.shadowRoot!.activeElement).to.equal(items[1]);
    press(items[1]!, 'End');
    expect(element.shadowRoot!.activeElement).to.equal(items.at(-1));
    press(items.at(-1)!, 'ArrowDown');
    expect(element.shadowRoot!.activeElement).to.equal(items[0]);
    const button = find('[aria-haspopup=menu]');
    button.focus();
    press(button, 'ArrowUp');
    expect(element.shadowRoot!.activeElement).to.equal(items.at(-1));
    const escape = press(items.at(-1)!, 'Escape');
    expect(escape.defaultPrevented).to.equal(true);
    await until(() => !find('[role=menu]'));
    expect(element.shadowRoot!.activeElement).to.equal(find('[aria-haspopup=menu]'));
  });

  it('downloads the conversation as a text file', async () => {
    const { items } = await open();
    const files: Blob[] = [];
    const { createObjectURL } = URL;
    const { click } = HTMLAnchorElement.prototype;
    URL.createObjectURL = (file: Blob) => {
      files.push(file);
      return 'blob:none';
    };
    let name = '';
    HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      name = this.download;
    };
    items.find((item) => item.textContent.includes('Download'))!.click();
    await until(() => name);
    URL.createObjectURL = createObjectURL;
    HTMLAnchorElement.prototype.click = click;
    expect(name).to.match(/^Chat with us \d{4}-\d\d-\d\d\.txt$/);
    const text = await files[0]!.text();
    expect(text).to.match(
      /You, .*\nHi\n\nAssistant, .*\nHello there\n\nSources\n– Visiting: https:\/\/shop\.example\/$/,
    );
  });
});

describe('A wide panel', () => {
  const openMenu = async (mounted: Mounted) => {
    mounted.element.open = true;
    const button = await until(() => mounted.find<HTMLButtonElement>('[aria-haspopup=menu]'));
    button.click();
    await until(() => mounted.find('[role=menu]'));
    const item = (label: string) =>
      mounted.findAll<HTMLButtonElement>('.menu-item').find((each) => each.textContent.trim() === label);
    return { item };
  };

  const open = async (attributes: Record<string, string> = {}) => {
    const mounted = await mount([], { mode: 'floating', ...attributes });
    return { ...mounted, ...(await openMenu(mounted)) };
  };

  it('becomes narrow at Escape, which closes a narrow one', async () => {
    const { find, item, element } = await open();
    const width = find('.panel').offsetWidth;
    item('Make this window wider')!.click();
    expect(find('.panel').offsetWidth).to.be.greaterThan(width);
    const input = await until(() => find('textarea'));
    expect(press(input, 'Escape').defaultPrevented).to.equal(true);
    expect(find('.panel').offsetWidth).to.equal(width);
    expect(element.open).to.equal(true);
    press(input, 'Escape');
    expect(element.open).to.equal(false);
  });

  it('leaves Escape to what is open in it, and handles it when the panel itself has the focus', async () => {
    const mounted = await mount([streamed(started())], { mode: 'floating', feedback: '' });
    const { find, findAll, element } = mounted;
    await element.send('Hi');
    const { item } = await openMenu(mounted);
    item('Make this window wider')!.click();
    (await until(() => find<HTMLButtonElement>('.feedback.up'))).click();
    press(await until(() => find('.comment input')), 'Escape');
    await until(() => findAll('.comment').length === 0);
    expect(find('.panel').classList.contains('wide')).to.equal(true);
    press(find('.panel'), 'Escape');
    expect(find('.panel').classList.contains('wide')).to.equal(false);
    expect(element.open).to.equal(true);
  });

  it('stays wide on the next page of the tab, until the visitor makes it narrow', async () => {
    const { item } = await open();
    item('Make this window wider')!.click();
    expect(sessionStorage.getItem('workspace-chat-wide')).to.equal('1');
    await unmountAll();
    sessionStorage.setItem('workspace-chat-wide', '1');
    const next = await open();
    expect(next.find('.panel').classList.contains('wide')).to.equal(true);
    next.item('Make this window narrower')!.click();
    expect(next.find('.panel').classList.contains('wide')).to.equal(false);
    expect(sessionStorage.getItem('workspace-chat-wide')).to.equal(null);
  });

  it('is not offered with `expand="off"`, nor in a box of the page', async () => {
    sessionStorage.setItem('workspace-chat-wide', '1');
    const all: Record<string, string>[] = [{ expand: 'off' }, { mode: 'inline' }];
    for (const attributes of all) {
      const { find, item } = await open(attributes);
      expect(item('Make this window wider')).to.equal(undefined);
      expect(find('.panel').classList.contains('wide')).to.equal(false);
      await unmountAll();
    }
  });
});

it('The status says that the device is offline, until it is online again', async () => {
  const { find } = await mount();
  await until(() => find('workspace-chat-banner')?.matches(':defined'));
  Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
  try {
    dispatchEvent(new Event('offline'));
    await until(() => find('.status').textContent.trim() === 'You’re offline');
  } finally {
    Reflect.deleteProperty(navigator, 'onLine');
  }
  dispatchEvent(new Event('online'));
  await until(() => find('.status').textContent.trim() === 'Assistant');
});
