import { expect } from '@open-wc/testing';
import { mount, until } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

const floating = { mode: 'floating' };

describe('The launcher', () => {
  it('writes the number of new messages with the digits of the messages', async () => {
    const { element, find } = await mount([streamed(started())], { ...floating, locale: 'ar-OM' });
    await element.send('Hi');
    expect((await until(() => find('.badge'))).textContent).to.equal('1');
    expect(find('.launcher').getAttribute('aria-label')).not.to.match(/[٠-٩]/);
  });

  it('opens and stays open at a double click', async () => {
    const { element, find } = await mount([], floating);
    element.show();
    await until(() => find('textarea'));
    element.hide();
    await element.updateComplete;
    for (const detail of [1, 2]) find('.launcher').dispatchEvent(new MouseEvent('click', { detail }));
    await element.updateComplete;
    expect(element.open).to.equal(true);
  });
});
