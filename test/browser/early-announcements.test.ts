import { expect } from '@open-wc/testing';
import { mount, unmountAll, until } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

/** The code that announces replies is loaded once a page. So each test needs a page, which is a file, of its own. */
describe('Announcements before their code is loaded', () => {
  const native = Object.getOwnPropertyDescriptor(Element.prototype, 'ariaNotify');

  afterEach(async () => {
    if (native) Object.defineProperty(Element.prototype, 'ariaNotify', native);
    else delete (Element.prototype as { ariaNotify?: unknown }).ariaNotify;
    await unmountAll();
  });

  it('announces a reply once that is complete before the code that announces it is loaded', async () => {
    const announced: string[] = [];
    const value = (text: string) => void announced.push(text);
    Object.defineProperty(Element.prototype, 'ariaNotify', { configurable: true, writable: true, value });
    const chat = await mount([streamed(started(), 'Hello', ' there')]);
    await chat.element.send('Hi');
    expect(chat.findAll('[role=status]'), 'the code is not loaded').to.have.length(0);
    await until(() => chat.findAll('[role=status]').length > 0);
    expect(announced).to.deep.equal(['Assistant: Hello there']);
  });
});
