import { expect } from '@open-wc/testing';
import { mount, recordErrors, until } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

/** Moves the element into a frame, and returns a function that moves it back. */
const toFrame = (element: HTMLElement): (() => void) => {
  const frame = document.createElement('iframe');
  const home = element.parentElement!;
  document.body.append(frame);
  frame.contentDocument!.body.append(element);
  return () => {
    home.append(element);
    frame.remove();
  };
};

describe('An element in another document', () => {
  it('says in the console that it has no styles there', async () => {
    const { element } = await mount([], { mode: 'floating' });
    const lines = recordErrors();
    toFrame(element)();
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/create the element in the document that shows it/);
  });

  it('has all its styles again in its own one, also those of a file that was loaded meanwhile', async () => {
    const shown = await mount([streamed(started())], { feedback: '' });
    await shown.element.send('Hi');
    await until(() => shown.find('workspace-chat-feedback button'));
    const root = shown.element.shadowRoot!;
    const sheets = [...root.adoptedStyleSheets];
    const overflow = () => getComputedStyle(shown.find('.scroller')).overflowY;
    const before = overflow();
    recordErrors();
    const comeBack = toFrame(shown.element);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(root.adoptedStyleSheets).to.have.length(0);
    comeBack();
    expect(root.adoptedStyleSheets).to.deep.equal(sheets);
    await until(() => shown.find('.scroller') && overflow() === before);
  });

  it('can be moved there and back before it is on a page', async () => {
    const element = document.createElement('workspace-chat');
    recordErrors();
    const uncaught: string[] = [];
    const { onerror } = window;
    // The browser reports an exception of a reaction to the page, and does not throw it.
    window.onerror = (_event, _source, _line, _column, error) => uncaught.push(error!.message);
    document.createElement('template').content.append(element);
    document.adoptNode(element);
    window.onerror = onerror;
    expect(uncaught).to.deep.equal([]);
  });

  it('has the styles of the panel that was opened there', async () => {
    const { element, find } = await mount([], { mode: 'floating' });
    recordErrors();
    const comeBack = toFrame(element);
    element.show();
    await new Promise((resolve) => setTimeout(resolve, 100));
    comeBack();
    await until(() => find('.scroller') && getComputedStyle(find('.scroller')).overflowY === 'auto');
  });
});
