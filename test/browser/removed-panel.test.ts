import { expect } from '@open-wc/testing';
import { loadProblems } from '../../src/elements/problem-loader.ts';
import { mount, unmountAll } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

/** The code that announces replies is loaded once a page. So this test needs a page, which is a file, of its own. */
describe('A panel that is removed before the code that announces replies is loaded', () => {
  it('causes no error', async () => {
    const errors: unknown[] = [];
    const onError = (event: PromiseRejectionEvent) => {
      event.preventDefault();
      errors.push(event.reason);
    };
    addEventListener('unhandledrejection', onError);
    const chat = await mount([streamed(started(), 'Hello')]);
    await chat.element.send('Hi');
    expect(chat.findAll('[role=status]'), 'the code is not loaded').to.have.length(0);
    await unmountAll();
    await loadProblems();
    // Rejections that nobody handles are reported in a task of their own.
    await new Promise((resolve) => setTimeout(resolve));
    removeEventListener('unhandledrejection', onError);
    expect(errors).to.deep.equal([]);
  });
});
