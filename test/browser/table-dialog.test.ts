import { expect } from '@open-wc/testing';
import { mount, press, until, type Mounted } from '../support/pages/element.ts';
import { openStream, replyWith, started } from '../support/fakes/fake-service.ts';
import { useLateRenderers } from '../../src/markdown/late-renderers.ts';
import { chatExtras } from '../../src/workspace-chat/chat-extras.ts';

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
const columns = Array.from({ length: 9 }, (_, index) => `Column${index}`);
const wide = `${row(columns)}${row(columns.map(() => '--'))}${row(columns.map((name) => `${name} [more](https://shop.example/${name})`))}`;
const narrow = '| A | B |\n|--|--|\n| 1 | 2 |\n';

const modes = { inline: {}, floating: { mode: 'floating', open: '' } } as const;

/** Windows are 800 pixels wide in one browser, and 1024 in another. */
const mountNarrow = async (...options: Parameters<typeof mount>): Promise<Mounted> => {
  const chat = await mount(...options);
  chat.element.parentElement!.style.inlineSize = '600px';
  return chat;
};

/** Mounts a chat with a reply, and waits until its table is rendered. */
const open = async (text: string, mode: keyof typeof modes = 'inline', attributes = {}): Promise<Mounted> => {
  const chat = await mountNarrow([replyWith(text)], { ...modes[mode], ...attributes });
  await chat.element.send('Hi');
  await until(() => chat.find('.md-table'));
  return chat;
};

const openDialog = async ({ find }: Mounted): Promise<HTMLDialogElement> => {
  const button = await until(
    () => find('.md-table + button')?.checkVisibility() && find<HTMLButtonElement>('.md-table + button'),
  );
  button.focus();
  button.click();
  return until(() => find<HTMLDialogElement>('.table-dialog:modal'));
};

const isClosed = ({ find }: Mounted) => find('.table-dialog') === null;

describe('A table that is too wide', () => {
  it('has a button that shows the whole table in a modal dialog, and another table has none', async () => {
    const chat = await open(`${wide}\nand\n\n${narrow}`);
    const dialog = await openDialog(chat);
    const buttons = chat.findAll('.md-table + button');
    expect(buttons.map((button) => [button.textContent, button.checkVisibility()])).to.deep.equal([
      ['Show whole table', true],
      ['Show whole table', false],
    ]);
    expect(dialog.textContent).to.contain('Column8 more');
    expect(dialog.ariaLabel).to.match(/^Column0, Column1/);
    expect(chat.element.shadowRoot!.activeElement).to.equal(dialog.querySelector('[title=Close]'));
    expect(dialog.getBoundingClientRect().width).to.be.greaterThan(chat.find('.bubble').getBoundingClientRect().width);
  });

  for (const mode of Object.keys(modes) as (keyof typeof modes)[]) {
    const ways: Record<string, (dialog: HTMLDialogElement, chat: Mounted) => void> = {
      'its button': (dialog) => dialog.querySelector<HTMLElement>('[title=Close]')!.click(),
      'a click beside the dialog': (dialog) => dialog.click(),
      // Escape, or a back gesture of the device: the browser closes the dialog by itself.
      'the browser': (dialog) => dialog.requestClose?.() ?? dialog.close(),
      'closeTopmost()': (_dialog, { element }) => expect(element.closeTopmost()).to.equal(true),
    };
    for (const [way, close] of Object.entries(ways)) {
      it(`is closed by ${way}, and focus returns to the button (${mode})`, async () => {
        const chat = await open(wide, mode);
        close(await openDialog(chat), chat);
        await until(() => isClosed(chat));
        await until(() => chat.element.shadowRoot!.activeElement === chat.find('.md-table + button'));
        expect(chat.element.open).to.equal(mode === 'floating');
        await openDialog(chat);
      });
    }
  }

  it('shows below its button that the file of the dialog cannot be loaded, once, until a click loads it', async () => {
    const chat = await open(wide);
    const button = await until(
      () => chat.find('.md-table + button')?.checkVisibility() && chat.find('.md-table + button'),
    );
    const problems = () => chat.findAll('.text [role=alert]').map(({ textContent }) => textContent);
    const fail = () => Promise.reject(new TypeError('Failed to fetch'));
    useLateRenderers({ ...chatExtras, wholeTable: { value: null, load: fail } });
    button.click();
    button.click();
    await until(() => problems().length > 0);
    await chat.element.updateComplete;
    expect(problems()).to.deep.equal(['The connection failed.']);
    useLateRenderers(chatExtras);
    await openDialog(chat);
    expect(problems()).to.deep.equal([]);
  });

  it('leaves Escape to the dialog: the panel stays open', async () => {
    const chat = await open(wide, 'floating');
    const dialog = await openDialog(chat);
    press(dialog, 'Escape');
    expect(chat.element.open).to.equal(true);
  });

  it('is closed with the panel, which would make the page inert', async () => {
    const chat = await open(wide, 'floating');
    await openDialog(chat);
    chat.element.hide();
    await until(() => isClosed(chat));
    chat.element.show();
    await until(() => chat.find('.md-table + button').checkVisibility());
    expect(isClosed(chat)).to.equal(true);
  });

  it('is closed when the page moves the chat, which takes the dialog out of the top layer', async () => {
    const chat = await open(wide);
    await openDialog(chat);
    chat.element.parentElement!.append(chat.element);
    await until(() => isClosed(chat));
    await openDialog(chat);
  });

  it('is not shown any longer when its conversation is erased', async () => {
    const chat = await open(wide);
    await openDialog(chat);
    await chat.element.reset();
    await until(() => isClosed(chat));
    expect(chat.element.shadowRoot!.textContent).not.to.contain('Column8');
  });

  it('shows in the dialog the rows that are still arriving', async () => {
    const stream = openStream();
    const chat = await mountNarrow([stream.reply]);
    const sending = chat.element.send('Hi');
    stream.write('delta', { text: wide });
    const dialog = await openDialog(chat);
    stream.write('delta', { text: row(columns.map(() => 'Late')) });
    await until(() => dialog.textContent.includes('Late'));
    stream.write('done', started({ message: { id: 'msg_1', role: 'assistant', content: wide } }));
    await sending;
  });

  it('has links that the page can handle in the dialog', async () => {
    const chat = await open(wide);
    const dialog = await openDialog(chat);
    const urls: string[] = [];
    chat.element.addEventListener('workspace-chat-link', (event) => {
      urls.push(event.url);
      event.preventDefault();
    });
    dialog.querySelector('a')!.click();
    expect(urls).to.deep.equal(['https://shop.example/Column0']);
  });

  it('is Arabic in an Arabic chat, from right to left', async () => {
    const chat = await open(
      `${row(columns.map((_, index) => `عمود${index}عمود`))}${row(columns.map(() => '--'))}`,
      'inline',
      { locale: 'ar' },
    );
    const dialog = await openDialog(chat);
    expect(chat.find('.md-table + button').textContent).to.equal('عرض الجدول كاملًا');
    expect(dialog.querySelector('button')!.title).to.equal('إغلاق');
    expect(getComputedStyle(dialog.querySelector('table')!).direction).to.equal('rtl');
  });
});
