import { expect } from '@open-wc/testing';
import { mount, press, type, until } from '../support/pages/element.ts';
import { openStream, replyWith, response, started, streamed } from '../support/fakes/fake-service.ts';
import { fitViewport } from '../../src/controllers/viewport-controller.ts';

describe('The composer', () => {
  const composer = async (...responses: Parameters<typeof mount>[0] & object) => {
    const mounted = await mount(responses);
    return { ...mounted, input: mounted.find<HTMLTextAreaElement>('textarea') };
  };

  it('does not send on Enter while an input method is composing', async () => {
    const { input, service } = await composer();
    type(input, 'こんにちは');
    press(input, 'Enter', { isComposing: true });
    press(input, 'Enter', { keyCode: 229 });
    press(input, 'Enter', { shiftKey: true });
    await new Promise(requestAnimationFrame);
    expect(service.calls).to.have.length(0);
    expect(input.value).to.equal('こんにちは');
  });

  /** Makes the page believe in other pointing devices than the computer has. */
  const withPointers = (pointers: readonly string[]): void => {
    const original = globalThis.matchMedia;
    globalThis.matchMedia = (query) => {
      const [, kind] = /^\(any-pointer: (\w+)\)$/.exec(query) ?? [];
      const list = original.call(globalThis, query);
      return kind ? Object.create(list, { matches: { value: pointers.includes(kind) } }) : list;
    };
    restore = () => {
      globalThis.matchMedia = original;
    };
  };
  let restore = () => {};
  afterEach(() => restore());

  for (const [enter, pointers, isSent] of [
    ['auto', ['coarse'], false],
    ['auto', ['coarse', 'fine'], true],
    ['auto', ['fine'], true],
    ['auto', [], true],
    ['send', ['coarse'], true],
    ['newline', ['fine'], false],
  ] as const)
    it(`${isSent ? 'sends' : 'begins a new line'} at Enter with enter="${enter}" and ${pointers.join(' and ') || 'no'} pointers`, async () => {
      withPointers(pointers);
      const { find, service } = await mount([streamed(started())], { enter });
      const input = find<HTMLTextAreaElement>('textarea');
      expect(input.getAttribute('enterkeyhint')).to.equal(isSent ? 'send' : 'enter');
      type(input, 'Hello');
      const { defaultPrevented } = press(input, 'Enter');
      expect(defaultPrevented).to.equal(isSent);
      if (!isSent) press(input, 'Enter', { ctrlKey: true });
      await until(() => service.calls.length === 1);
    });

  describe('in a browser without field-sizing', () => {
    const { supports } = CSS;
    beforeEach(() => {
      CSS.supports = (...conditions: [string]) => conditions[0] !== 'field-sizing' && supports.apply(CSS, conditions);
    });
    afterEach(() => {
      CSS.supports = supports;
    });

    it('has the height of its text in a panel that was rendered before it was opened, and at another width', async () => {
      const { element, find } = await mount([], { mode: 'floating' });
      (await until(() => find('.launcher'))).dispatchEvent(new PointerEvent('pointerenter'));
      const input = await until(() => find<HTMLTextAreaElement>('textarea'));
      expect(input.checkVisibility()).to.equal(false);
      element.show();
      await until(() => find('dialog').matches(':popover-open'));
      await until(() => input.clientHeight > 20);
      const line = input.clientHeight;
      type(input, 'A message of some twenty words, which fills more than one line of the field of a narrow panel');
      await until(() => input.clientHeight > line);
      const wide = input.clientHeight;
      element.style.setProperty('--workspace-chat-width', '200px');
      await until(() => input.clientHeight > wide);
    });

    it('leaves the transcript at its end while a draft of several lines is typed', async () => {
      const content = 'Paragraph\n\n'.repeat(60);
      const { element, find, findAll } = await mount([replyWith(content)]);
      const [scroller, input] = [find('.scroller'), find<HTMLTextAreaElement>('textarea')];
      const rest = () => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
      input.style.setProperty('field-sizing', 'fixed');
      await element.send('Hi');
      (await until(() => find('.to-end'))).click();
      await until(() => rest() < 1);
      const { clientHeight } = scroller;
      type(input, '1\n2\n3\n4');
      await until(() => scroller.clientHeight < clientHeight - 40 && rest() < 1);
      type(input, '1\n2\n3\n45');
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      element.receive({ id: 'm2', role: 'assistant', content: 'Next', conversation_id: element.conversationId });
      await until(() => findAll('.text').length === 2);
      await until(() => rest() < 1);
    });
  });

  it('has fields of at least 16 pixels at every font size, as the other fields do', async () => {
    const kinds = ['text', 'email', 'phone', 'number', 'date', 'select'];
    const fields = kinds.map((kind) => ({ key: kind, label_en: kind, label_ar: kind, kind, options: ['A', 'B'] }));
    const chat = await mount([replyWith('Please', { blocks: [{ type: 'form', fields }] })], { feedback: '' });
    await chat.element.send('Hi');
    (await until(() => chat.find('.feedback.down'))).click();
    await until(() => chat.find('.comment input') && chat.find('form select'));
    for (const size of ['8px', '13px', '1em', 'small']) {
      chat.element.style.setProperty('--workspace-chat-font-size', size);
      for (const field of chat.findAll('input, textarea, select'))
        expect(parseFloat(getComputedStyle(field).fontSize), `${field.outerHTML} at ${size}`).to.be.at.least(16);
    }
  });

  it('writes each line in the direction of the first letter, without the browser’s search of the whole text', async () => {
    const { input, element } = await composer();
    const directions: (string | null)[] = [];
    for (const text of ['12: hello', '12: مرحبا hello', '12', 'x'.repeat(100_000), '']) {
      type(input, text);
      await element.updateComplete;
      directions.push(await until(() => input.value === text && input.getAttribute('dir')));
    }
    expect(directions).to.deep.equal(['ltr', 'rtl', 'ltr', 'ltr', 'ltr']);
  });

  it('says how many characters a message is too long, where emoji are one each, and keeps the text', async () => {
    const { input, find, findAll, service } = await composer();
    type(input, '😀'.repeat(8000));
    await until(() => !find<HTMLButtonElement>('.send').disabled);
    expect(findAll('#banner').length).to.equal(0);
    type(input, '😀'.repeat(8012));
    const warning = await until(() => find('#banner'));
    expect(warning.textContent).to.contain('12 characters too long');
    expect(getComputedStyle(warning).color, 'the color of errors').to.equal('rgb(179, 38, 30)');
    expect(input.getAttribute('aria-invalid')).to.equal('true');
    expect(find<HTMLButtonElement>('.send').disabled).to.equal(true);
    press(input, 'Enter');
    expect(service.calls).to.have.length(0);
    expect(input.value).to.equal('😀'.repeat(8012));
  });

  it('shows Stop while a reply streams, and lets the visitor type the next message', async () => {
    const stream = openStream();
    const { input, find, element, service } = await composer(streamed(started()), stream.reply);
    await element.send('One');
    const sent = element.send('Two');
    const stop = await until(() => find('.send[aria-label=Stop]'));
    await until(() => service.calls.length === 2);
    type(input, 'Three');
    press(input, 'Enter');
    stream.write('delta', { text: 'Half' });
    await until(() => find('.message:last-of-type')?.textContent);
    stop.click();
    await sent;
    expect(element.busy).to.equal(false);
    expect(stream.isCanceled).to.equal(true);
    expect(input.value).to.equal('Three');
  });

  for (const text of ['   \n ', '\u200b\u200f\n\u200d'])
    it(`sends nothing for a text without a visible character: ${JSON.stringify(text)}`, async () => {
      const { input, service, element, find } = await composer(streamed(started()));
      type(input, text);
      await element.updateComplete;
      press(input, 'Enter');
      expect(await element.send(text)).to.equal(null);
      expect(find<HTMLButtonElement>('.send').disabled).to.equal(true);
      expect(service.calls).to.have.length(0);
    });

  for (const [mode, scale, height] of [
    // A page may write spaces around the mode.
    [' fullscreen ', 1, `${innerHeight - 200}px`],
    ['fullscreen', 0.8, `${innerHeight - 200}px`],
    ['fullscreen', 1.5, ''],
  ] as const)
    it(`is ${height ? '' : 'not '}moved above the keyboard with mode="${mode}" at the scale ${scale}`, async () => {
      const { find, element } = await mount([], { mode });
      await until(() => find('.panel'));
      Object.defineProperty(visualViewport!, 'height', { configurable: true, value: innerHeight - 200 });
      Object.defineProperty(visualViewport!, 'scale', { configurable: true, value: scale });
      fitViewport(element);
      element.requestUpdate();
      await element.updateComplete;
      for (const name of ['height', 'scale']) Reflect.deleteProperty(visualViewport!, name);
      expect(find('.panel').style.getPropertyValue('--_viewport-height')).to.equal(height);
    });

  it('leaves half of a low panel to the messages while the draft has several lines', async () => {
    const { find, element } = await mount([], { mode: 'fullscreen' });
    for (const height of [256, 360]) {
      element.style.cssText = `--_viewport-height: ${height}px; inline-size: 320px`;
      type(find<HTMLTextAreaElement>('textarea'), 'One line\nand another one\nand the last one\nof all');
      await until(() => find('.panel').clientHeight === height);
      await until(() => find('.scroller').clientHeight >= height / 2);
    }
  });

  it('accepts a message while the stored conversation is loading, and sends it once afterwards', async () => {
    const { element, find, findAll, service } = await mount([streamed(started())], {
      mode: 'inline',
      storage: 'indexeddb',
    });
    const input = find<HTMLTextAreaElement>('textarea');
    type(input, 'Hello');
    press(input, 'Enter');
    press(input, 'Enter');
    await until(() => input.value === '');
    await until(() => findAll('.message.agent .text').length === 1);
    expect(service.calls).to.have.length(1);
    await element.reset();
  });

  it('keeps a text when the page replaces its element by another one', async () => {
    const attributes = { storage: 'indexeddb', 'agent-id': `agt_${crypto.randomUUID()}` };
    let { element, find } = await mount([], attributes);
    for (const text of ['One', 'One two', 'One two three']) {
      type(find<HTMLTextAreaElement>('textarea'), text);
      element.remove();
      ({ element, find } = await mount([], attributes));
      await until(() => find<HTMLTextAreaElement>('textarea').value === text);
    }
  });

  it('keeps a text when the page writes the markup around its element anew', async () => {
    const { element, find } = await mount([], { storage: 'indexeddb', 'agent-id': `agt_${crypto.randomUUID()}` });
    const box = element.parentElement!;
    type(find<HTMLTextAreaElement>('textarea'), 'One');
    // The browser connects the new element before it disconnects the former one.
    const { innerHTML } = box;
    box.innerHTML = innerHTML;
    const input = await until(() => box.firstElementChild!.shadowRoot!.querySelector('textarea'));
    await until(() => input.value === 'One');
  });

  it('asks the page before it sends, and keeps a text that the page rejects', async () => {
    const { input, service, element } = await composer(streamed(started()));
    element.addEventListener('workspace-chat-send', (event) => event.preventDefault(), { once: true });
    type(input, 'Hello');
    press(input, 'Enter');
    await new Promise(requestAnimationFrame);
    expect(service.calls).to.have.length(0);
    expect(input.value).to.equal('Hello');
    expect((await element.send('Hello'))?.message).to.include({ content: response().message!.content });
  });
});
