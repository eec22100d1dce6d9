import { expect } from '@open-wc/testing';
import { ariaShortcut, isPressed, parseShortcut } from '../../src/workspace-chat/shortcut.ts';
import { addMarkup, mount, press, until, recordErrors } from '../support/pages/element.ts';

describe('The keys that open the chat', () => {
  it('are read as people write them', () => {
    const names = ['Alt+C', 'alt + c', 'Ctrl+Shift+K', 'Control+9', 'Meta+j'].map((text) =>
      ariaShortcut(parseShortcut(text)!),
    );
    expect(names).to.deep.equal(['Alt+C', 'Alt+C', 'Control+Shift+K', 'Control+9', 'Meta+J']);
    for (const wrong of ['', 'C', 'Shift+C', 'Alt', 'Alt+', 'Alt+Enter', 'Hyper+C', 'constructor+c', 'Alt+C+D'])
      expect(parseShortcut(wrong), wrong).to.equal(null);
  });

  it('are the same on a keyboard of another script, and with no other modifier', () => {
    const shortcut = parseShortcut('Alt+C')!;
    const pressed = (init: KeyboardEventInit) => isPressed(shortcut, new KeyboardEvent('keydown', init));
    expect(pressed({ altKey: true, key: 'c', code: 'KeyJ' })).to.equal(true);
    expect(pressed({ altKey: true, key: 'ؤ', code: 'KeyC' })).to.equal(true);
    expect(pressed({ altKey: true, key: 'ç', code: 'KeyC' })).to.equal(true);
    expect(pressed({ altKey: true, ctrlKey: true, key: 'c', code: 'KeyC' })).to.equal(false);
    expect(pressed({ key: 'c', code: 'KeyC' })).to.equal(false);
  });

  it('open and close it with its focus, from the page and from inside, and the launcher announces them', async () => {
    const button = addMarkup('<button></button>');
    const { element, find } = await mount([], { mode: 'floating', shortcut: 'Alt+C' });
    await until(() => find('.launcher')?.getAttribute('aria-keyshortcuts') === 'Alt+C');
    button.focus();
    const keys = { altKey: true, code: 'KeyC' };
    expect(press(document.body, 'c', keys).defaultPrevented).to.equal(true);
    const input = await until(() => element.open && find<HTMLTextAreaElement>('textarea'));
    await until(() => element.shadowRoot!.activeElement === input);
    press(input, 'c', keys);
    await until(() => !element.open && document.activeElement === button);
    element.shortcut = null;
    await until(() => !find('.launcher').hasAttribute('aria-keyshortcuts'));
    press(document.body, 'c', keys);
    expect(element.open).to.equal(false);
  });

  it('are none, and named in the console, when they could be typed', async () => {
    const errors = recordErrors();
    const { element } = await mount([], { mode: 'floating', shortcut: 'c' });
    await until(() => errors.length > 0);
    expect(errors.join()).to.include('“c”');
    press(document.body, 'c');
    expect(element.open).to.equal(false);
  });
});
