import { expect } from '@open-wc/testing';
import { Modal } from 'bootstrap';
import { addMarkup, frames, mount, until, type Mounted } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

const launcherOf = ({ find }: Mounted) => find('.launcher-box');
const isRaised = (chat: Mounted) => launcherOf(chat)?.matches(':popover-open') ?? false;
const isOpen = ({ find }: Mounted) => find('dialog')?.matches(':popover-open, :modal') ?? false;

/** A closed chat that was never opened, so that its page has loaded the launcher only. */
const mountLauncher = async (prepare?: (chat: Mounted['element']) => void): Promise<Mounted> => {
  const chat = await mount([], { mode: 'floating' }, prepare);
  await until(() => isRaised(chat));
  return chat;
};

describe('What the page shows above its content', () => {
  for (const [how, style, attributes] of [
    ['beside the screen', 'position: fixed; inset: 0 auto 0 0; width: 300px; transform: translateX(-100%)', ''],
    ['far to the left', 'position: fixed; left: -9999px; width: 300px', ''],
    ['transparent', 'position: fixed; inset: 0; opacity: 0; pointer-events: none', ''],
    ['without size', 'height: 0; overflow: hidden', ''],
    ['hidden from screen readers', 'position: fixed; inset: 0; clip-path: inset(100%)', 'aria-hidden="true"'],
    ['inert', 'position: fixed; inset: 0; pointer-events: none', 'inert'],
    ['invisible', 'position: fixed; inset: 0; visibility: hidden', ''],
    ['not displayed', 'display: none', ''],
  ])
    it(`leaves the chat alone while a modal menu is closed: ${how}`, async () => {
      addMarkup(`<div role="dialog" aria-modal="true" style="${style}" ${attributes}>Menu</div>`);
      const chat = await mountLauncher();
      chat.find('.launcher').dispatchEvent(new PointerEvent('pointerenter'));
      chat.find<HTMLButtonElement>('.launcher').click();
      await until(() => isOpen(chat));
      await frames();
      expect(isRaised(chat)).to.equal(true);
    });

  it('hides the launcher of a chat that was never opened while a modal dialog is shown', async () => {
    const menu = addMarkup(
      '<div role="dialog" aria-modal="true" style="position: fixed; inset: 0 auto 0 -100vw; width: 100vw">Cart</div>',
    );
    const dialog = addMarkup('<dialog><button>Pay</button></dialog>') as HTMLDialogElement;
    const chat = await mountLauncher();
    menu.style.left = '0';
    await until(() => !isRaised(chat));
    menu.style.left = '-100vw';
    await until(() => isRaised(chat));
    dialog.showModal();
    await until(() => !isRaised(chat));
    dialog.close();
    await until(() => isRaised(chat));
  });

  it('is not covered by a chat that opens before its first paint, not even for a moment, and keeps the focus', async () => {
    // Loads the files of the panel, so that the next chat can show it at once.
    await mount();
    const modal = addMarkup('<div role="dialog" aria-modal="true">Offer <input></div>');
    modal.querySelector('input')!.focus();
    const events: string[] = [];
    for (const type of ['focusout', 'focusin']) modal.addEventListener(type, () => events.push(type));
    const chat = await mount([], { mode: 'floating', open: '' });
    const note = ({ target }: Event) => {
      if ((target as Element).matches('.panel')) events.push('beforetoggle');
    };
    chat.element.shadowRoot!.addEventListener('beforetoggle', note, true);
    await until(() => chat.find('textarea'));
    await frames();
    expect(events).to.deep.equal([]);
    modal.remove();
    await until(() => isOpen(chat) && isRaised(chat));
  });

  it('hides an open chat when a modal dialog is added to the page, or to a component, and takes the focus', async () => {
    const chat = await mount([], { mode: 'floating', open: '' });
    await until(() => isOpen(chat) && isRaised(chat));
    for (const root of [document.body, addMarkup('<section></section>').attachShadow({ mode: 'open' })]) {
      const modal = addMarkup('<div role="dialog" aria-modal="true">Offer <input></div>', root);
      modal.querySelector('input')!.focus();
      await until(() => !isOpen(chat) && !isRaised(chat));
      modal.remove();
      await until(() => isOpen(chat) && isRaised(chat));
    }
  });

  it('hides a chat while a modal of Bootstrap is shown, whose focus trap takes no text that is typed in the chat', async () => {
    const box = addMarkup(
      '<div class="modal" tabindex="-1"><div class="modal-dialog"><div class="modal-content">Offer <input></div></div></div>',
    );
    // Bootstrap's style sheet does this, among other things.
    box.style.display = 'none';
    const field = box.querySelector('input')!;
    const modal = new Modal(box);
    const change = (type: 'shown' | 'hidden', act: () => void) => {
      const changed = new Promise((resolve) => box.addEventListener(`${type}.bs.modal`, resolve, { once: true }));
      act();
      return changed;
    };
    await change('shown', () => modal.show());
    // The chat opens while the trap of the modal is active.
    const chat = await mount([], { mode: 'floating' });
    chat.element.show();
    const input = await until(() => chat.find<HTMLTextAreaElement>('textarea'));
    await until(() => !isOpen(chat) && !isRaised(chat));
    input.focus();
    expect(document.activeElement).to.not.equal(chat.element);
    await change('hidden', () => modal.hide());
    await until(() => isOpen(chat) && isRaised(chat));
    expect(chat.element.open).to.equal(true);
    // A modal without its attribute still has its trap.
    await change('shown', () => modal.show());
    box.removeAttribute('aria-modal');
    await until(() => isOpen(chat) && isRaised(chat));
    input.focus();
    expect(document.activeElement).to.equal(chat.element);
    expect(field.value).to.equal('');
    await change('hidden', () => modal.hide());
    modal.dispose();
  });

  it('hides a chat that the page has made inert with everything around its dialog', async () => {
    const chat = await mount([], { mode: 'floating', open: '' });
    await until(() => isOpen(chat) && isRaised(chat));
    chat.element.inert = true;
    await until(() => !isOpen(chat) && !isRaised(chat));
    chat.element.inert = false;
    await until(() => isOpen(chat) && isRaised(chat));
    chat.element.parentElement!.inert = true;
    await until(() => !isOpen(chat) && !isRaised(chat));
    expect(chat.element.open).to.equal(true);
  });

  it('hides a chat that the page has hidden from screen readers with everything around its dialog', async () => {
    const chat = await mount([], { mode: 'floating', open: '' });
    await until(() => isOpen(chat) && isRaised(chat));
    const around = chat.element.parentElement!;
    for (const role of ['dialog', 'alertdialog']) {
      const dialog = addMarkup(`<div role="${role}">Cart <button>Sort</button></div>`);
      around.ariaHidden = 'true';
      await until(() => !isOpen(chat) && !isRaised(chat));
      // A menu of the dialog hides the dialog as well.
      dialog.ariaHidden = 'true';
      dialog.querySelector('button')!.focus();
      await frames();
      expect(isOpen(chat) || isRaised(chat)).to.equal(false);
      dialog.remove();
      around.ariaHidden = null;
      await until(() => isOpen(chat) && isRaised(chat));
    }
  });

  it('leaves the chat alone while the page hides everything around a menu, and beside dialogs that are not modal', async () => {
    const banner = addMarkup('<div role="dialog" aria-modal="false">Cookies</div>');
    // Libraries that hide everything around a menu leave out what is announced.
    addMarkup('<div role="alertdialog" aria-live="polite">Saved</div>');
    const chat = await mountLauncher();
    await frames();
    expect(isRaised(chat)).to.equal(true);
    const menu = addMarkup('<div role="menu" tabindex="-1">Sort</div>');
    banner.ariaHidden = chat.element.ariaHidden = 'true';
    menu.focus();
    await frames();
    expect(isRaised(chat)).to.equal(true);
  });

  it('shows the launcher again after a transition of the visibility of a drawer, and without one', async () => {
    const drawer = addMarkup(
      '<div style="visibility: hidden; position: fixed; inset: 0"><div role="dialog" aria-modal="true" tabindex="-1">Cart</div></div>',
    );
    const opener = addMarkup('<button>Cart</button>');
    const chat = await mountLauncher();
    for (const transition of ['visibility 200ms', 'none']) {
      drawer.style.transition = transition;
      drawer.style.visibility = 'visible';
      await until(() => {
        drawer.querySelector<HTMLElement>('[role=dialog]')!.focus();
        return !isRaised(chat);
      });
      drawer.style.visibility = 'hidden';
      opener.focus();
      await until(() => isRaised(chat));
    }
  });

  it('hides the chat below a dialog in the shadow root of a component', async () => {
    const root = addMarkup('<section></section>').attachShadow({ mode: 'open' });
    const dialog = addMarkup('<dialog><button>Pay</button></dialog>', root) as HTMLDialogElement;
    const chat = await mountLauncher();
    dialog.showModal();
    await until(() => !isRaised(chat));
    chat.element.show();
    await until(() => chat.find('textarea'));
    await frames();
    expect(isOpen(chat)).to.equal(false);
    dialog.close();
    await until(() => isOpen(chat) && isRaised(chat));
  });

  it('shows a chat that is in a modal dialog itself above the dialog', async () => {
    const dialog = addMarkup('<dialog></dialog>') as HTMLDialogElement;
    const chat = await mountLauncher();
    dialog.append(chat.element);
    await until(() => isRaised(chat));
    dialog.showModal();
    const launcher = chat.find<HTMLButtonElement>('.launcher');
    const isOnTop = () => {
      const { x, y, width, height } = launcher.getBoundingClientRect();
      const found = document.elementFromPoint(x + width / 2, y + height / 2);
      return found === chat.element;
    };
    await until(() => isRaised(chat) && isOnTop());
    launcher.click();
    await until(() => isOpen(chat));
    await frames();
    expect(isOpen(chat) && isRaised(chat)).to.equal(true);
  });

  it('stays above an element around it that fills the screen', async () => {
    const chat = await mountLauncher();
    const lowered: string[] = [];
    launcherOf(chat).addEventListener('beforetoggle', (event) => lowered.push(event.newState));
    const fill = (element: Element | null) => {
      Object.defineProperty(document, 'fullscreenElement', { configurable: true, value: element });
      document.dispatchEvent(new Event('fullscreenchange'));
    };
    fill(document.body);
    await until(() => lowered.length === 2);
    fill(addMarkup('<video></video>'));
    fill(null);
    Reflect.deleteProperty(document, 'fullscreenElement');
    await frames();
    expect(lowered).to.deep.equal(['closed', 'open']);
  });

  it('leaves the focus where the page has put it when a modal dialog of the page closes', async () => {
    const opener = addMarkup('<button>Edit</button>');
    const dialog = addMarkup('<dialog><button>Save</button></dialog>') as HTMLDialogElement;
    const chat = await mountLauncher();
    chat.find<HTMLButtonElement>('.launcher').click();
    await until(() => chat.element.shadowRoot!.activeElement?.matches('textarea'));
    opener.focus();
    dialog.showModal();
    await until(() => !isOpen(chat));
    dialog.close();
    await until(() => isOpen(chat));
    await frames();
    expect(document.activeElement).to.equal(opener);
  });
});

describe('A button of the page that opens the chat from a modal dialog', () => {
  const mountWithOpener = async (): Promise<Mounted> => {
    const chat = await mount([], { mode: 'floating', 'launcher-selector': '.ask' });
    await until(() => chat.find('.launcher'));
    return chat;
  };
  const hasFocus = ({ element }: Mounted) => element.shadowRoot!.activeElement?.matches('textarea');

  it('moves the focus into the chat when it closes its dialog', async () => {
    const dialog = addMarkup('<dialog><button class="ask">Chat with us</button></dialog>') as HTMLDialogElement;
    const chat = await mountWithOpener();
    const opener = dialog.querySelector('button')!;
    opener.addEventListener('click', () => dialog.close());
    dialog.showModal();
    await until(() => !isRaised(chat));
    opener.click();
    await until(() => isOpen(chat) && hasFocus(chat));
  });

  it('moves the focus into the chat when the transition of its menu has ended', async () => {
    const menu = addMarkup(
      '<div role="dialog" aria-modal="true" style="position: fixed; inset: 0; width: 300px; transition: translate 200ms"><button class="ask">Chat with us</button></div>',
    );
    const chat = await mountWithOpener();
    menu.querySelector('button')!.addEventListener('click', () => {
      menu.style.translate = '-100vw';
    });
    menu.querySelector('button')!.click();
    await until(() => isOpen(chat) && hasFocus(chat));
  });
});

describe('An open chat that a page moves', () => {
  const move = ({ element }: Mounted) => addMarkup('<div></div>').append(element);

  it('leaves the focus in a field of the page, or nowhere', async () => {
    const field = addMarkup('<input />') as HTMLInputElement;
    const chat = await mountLauncher();
    chat.find<HTMLButtonElement>('.launcher').click();
    await until(() => chat.element.shadowRoot!.activeElement?.matches('textarea'));
    field.focus();
    move(chat);
    await until(() => isOpen(chat));
    await frames();
    expect(document.activeElement).to.equal(field);
    field.blur();
    move(chat);
    await until(() => isOpen(chat));
    await frames();
    expect(document.activeElement).to.equal(document.body);
  });

  it('keeps the focus in its own field', async () => {
    const chat = await mountLauncher();
    chat.find<HTMLButtonElement>('.launcher').click();
    const input = await until(() => chat.find('textarea'));
    await until(() => chat.element.shadowRoot!.activeElement === input);
    move(chat);
    await until(() => isOpen(chat));
    await frames();
    expect(chat.element.shadowRoot!.activeElement).to.equal(input);
  });

  it('keeps the position of the reader, also when it is moved twice at once, and follows a reply at the end', async () => {
    const long = 'A line of the reply.\n\n'.repeat(60);
    const message = (id: string) => ({ id, role: 'assistant' as const, content: long });
    const replies = ['m1', 'm2'].map((id) => streamed(started({ message: message(id) })));
    const chat = await mount(replies, { mode: 'floating' });
    chat.element.show();
    await until(() => isOpen(chat));
    await chat.element.send('Hi');
    const scroller = chat.find('.scroller');
    await until(() => scroller.scrollHeight > 2 * scroller.clientHeight);
    await frames();
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
    scroller.scrollTop = 300;
    await frames();
    move(chat);
    await until(() => isOpen(chat) && scroller.scrollTop > 0);
    expect(scroller.scrollTop).to.equal(300);
    move(chat);
    move(chat);
    await until(() => isOpen(chat) && scroller.scrollTop > 0);
    expect(scroller.scrollTop).to.equal(300);
    scroller.scrollTop = scroller.scrollHeight;
    await frames();
    move(chat);
    await chat.element.send('More');
    await until(() => chat.findAll('.message.visitor').length === 2);
    await until(() => scroller.scrollTop > 600);
  });

  it('takes no focus from a field beside it in the shadow root of a component', async () => {
    const root = addMarkup('<section></section>').attachShadow({ mode: 'open' });
    const field = addMarkup('<input />', root) as HTMLInputElement;
    const chat = await mountLauncher();
    root.append(chat.element);
    await until(() => isRaised(chat));
    field.focus();
    chat.element.open = true;
    await until(() => isOpen(chat));
    await frames();
    expect(root.activeElement).to.equal(field);
    chat.element.open = false;
    await until(() => !isOpen(chat));
    expect(root.activeElement).to.equal(field);
  });
});
