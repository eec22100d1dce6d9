import { expect } from '@open-wc/testing';
import { addMarkup, mount, press, recordErrors, type, until } from '../support/pages/element.ts';
import { replyWith } from '../support/fakes/fake-service.ts';

const inBubblePhase =
  'keydown keypress keyup beforeinput input paste copy cut drop dragover focusin focusout compositionstart compositionupdate compositionend'.split(
    ' ',
  );

describe('The page around a panel', () => {
  let ended = new AbortController();
  let seen: string[] = [];

  beforeEach(() => {
    ended = new AbortController();
    seen = [];
    const { signal } = ended;
    for (const type of inBubblePhase)
      for (const target of [document, globalThis, document.body])
        target.addEventListener(type, () => seen.push(type), { signal });
  });

  afterEach(() => ended.abort());

  for (const mode of ['inline', 'floating'])
    it(`does not receive the events of typing in a panel that is ${mode}`, async () => {
      const { find } = await mount([], { mode, open: '' });
      const input = await until(() => find<HTMLTextAreaElement>('textarea'));
      seen = [];
      for (const type of inBubblePhase) input.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
      for (const key of ['s', 'j', '?', ' ', 'Tab', 'ArrowLeft']) {
        press(input, key);
        press(input, key, { shiftKey: true });
      }
      const at = new KeyboardEvent('keydown', {
        key: '@',
        bubbles: true,
        composed: true,
        ctrlKey: true,
        altKey: true,
        modifierAltGraph: true,
      });
      // WebKitGTK ignores this modifier of an event that a script creates.
      if (at.getModifierState('AltGraph')) input.dispatchEvent(at);
      expect(seen).to.deep.equal([]);
    });

  it('does not receive the wheel over a floating panel, which a library would cancel to scroll the page by itself', async () => {
    const { find } = await mount([], { mode: 'floating', open: '' });
    const scroller = await until(() => find('.scroller'));
    const turn = (init: WheelEventInit) =>
      scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: 1, bubbles: true, composed: true, ...init }));
    const { signal } = ended;
    document.addEventListener('wheel', ({ ctrlKey }) => seen.push(ctrlKey ? 'zoom' : 'wheel'), { signal });
    turn({});
    turn({ ctrlKey: true });
    expect(seen.filter((name) => name === 'wheel' || name === 'zoom')).to.deep.equal(['zoom']);
  });

  it('does not receive the keys that are pressed on buttons, in forms and in the menu', async () => {
    const form = { type: 'form', fields: [{ key: 'name', label_en: 'Name', kind: 'text', options: [] }] };
    const { element, find, findAll } = await mount([replyWith('Your name?', { blocks: [form] })]);
    await element.send('Hi');
    const field = await until(() => find<HTMLInputElement>('form input'));
    find('[aria-haspopup=menu]').click();
    await until(() => find('[role=menuitem]'));
    seen = [];
    for (const target of [field, find('.scroller'), ...findAll('button')]) press(target, 's');
    expect(seen).to.deep.equal([]);
  });

  it('receives shortcuts, and an Escape that has closed nothing', async () => {
    const { find } = await mount();
    for (const init of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) press(find('textarea'), 'k', init);
    press(find('textarea'), 'Escape');
    expect(seen.filter((name) => name === 'keydown')).to.have.length(4 * 3);
  });

  it('does not receive the Escape that has closed the panel', async () => {
    const { element, find } = await mount([], { mode: 'floating', open: '' });
    press(await until(() => find('textarea')), 'Escape');
    expect(element.open).to.equal(false);
    expect(seen).to.not.include('keydown');
  });

  it('is not replaced by a file that is dropped beside the field, while a text can be dropped', async () => {
    const { find } = await mount();
    const drop = (type: string, add: (data: DataTransfer) => void) => {
      const dataTransfer = new DataTransfer();
      add(dataTransfer);
      const event = new DragEvent(type, { bubbles: true, cancelable: true, composed: true, dataTransfer });
      find('.scroller').dispatchEvent(event);
      return event.defaultPrevented;
    };
    const file = (data: DataTransfer) => void data.items.add(new File(['x'], 'x.txt'));
    const text = (data: DataTransfer) => data.setData('text/plain', 'x');
    expect(['dragover', 'drop'].map((type) => drop(type, file))).to.deep.equal([true, true]);
    expect(['dragover', 'drop'].map((type) => drop(type, text))).to.deep.equal([false, false]);
  });

  it('has one line in the console for a launcher-selector that is wrong', async () => {
    const logged = recordErrors();
    await mount([], { mode: 'floating', 'launcher-selector': '.ask[' });
    document.body.click();
    expect(logged).to.deep.equal(['workspace-chat: launcher-selector=“.ask[” is not a CSS selector.']);
  });

  it('receives the events of its own elements in a slot', async () => {
    const { element } = await mount();
    const field = addMarkup('<input slot="before-input">', element) as HTMLInputElement;
    seen = [];
    press(field, 's');
    type(field, 's');
    expect(seen).to.include.members(['keydown', 'input']);
  });

  it('keeps its focus trap away from the text that is typed in the chat', async () => {
    const { find } = await mount([], { mode: 'floating', open: '' });
    const field = addMarkup('<input />');
    // As the focus trap of a Bootstrap modal does.
    document.addEventListener(
      'focusin',
      ({ target }) => {
        if (target !== field) field.focus();
      },
      { signal: ended.signal },
    );
    const input = await until(() => find<HTMLTextAreaElement>('.panel:popover-open textarea'));
    input.focus();
    expect(document.activeElement).to.not.equal(field);
  });
});
