import { expect } from '@open-wc/testing';
import { mount, press, unmountAll, until } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

describe('The menu', () => {
  afterEach(unmountAll);

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
    const escape = press(items[0]!, 'Escape');
    expect(escape.defaultPrevented).to.equal(true);
    await until(() => !find('[role=menu]'));
    expect(element.shadowRoot!.activeElement).to.equal(find('[aria-haspopup=menu]'));
  });

  it('starts a new conversation', async () => {
    const { element, items, findAll } = await open();
    items.find((item) => item.textContent.includes('New conversation'))!.click();
    await until(() => findAll('.message.visitor').length === 0);
    expect(element.conversationId).to.equal(null);
  });

  it('changes the language and changes it back', async () => {
    const { element, items, find } = await open();
    items.find((item) => item.lang === 'ar')!.click();
    await until(() => find('textarea').getAttribute('aria-label') === 'الرسالة');
    expect(element.locale).to.equal('ar');
    expect(find('.panel').getAttribute('dir')).to.equal('rtl');
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
