import { expect } from '@open-wc/testing';
import { mount, unmountAll, until } from '../support/pages/element.ts';

const pass = (type: 'pagehide' | 'pageshow') => dispatchEvent(new PageTransitionEvent(type, { persisted: true }));

const openItem = 'workspace-chat-open agt_1';

describe('A page whose tab has had the chat open on its last page', () => {
  it('opens it again, unless the page hides it at once', async () => {
    for (const isHidden of [false, true]) {
      sessionStorage.setItem(openItem, '1');
      const { element } = await mount([], { mode: 'floating' });
      if (isHidden) element.hide();
      await element.ready;
      expect(element.open).to.equal(!isHidden);
      await unmountAll();
    }
  });
});

describe('A page that returns from the browser’s cache', () => {
  it('is closed when the visitor has closed the chat on another page of the tab, and open when they have opened it', async () => {
    const { element, find } = await mount([], { mode: 'floating' });
    (await until(() => find('.launcher'))).click();
    await until(() => sessionStorage.getItem(openItem));
    pass('pagehide');
    sessionStorage.removeItem(openItem);
    pass('pageshow');
    expect(element.open).to.equal(false);
    await element.updateComplete;
    pass('pagehide');
    sessionStorage.setItem(openItem, '1');
    pass('pageshow');
    expect(element.open).to.equal(true);
  });

  it('keeps the chat open that the page has opened', async () => {
    const { element } = await mount([], { mode: 'floating' });
    element.show();
    await element.updateComplete;
    pass('pagehide');
    pass('pageshow');
    expect(element.open).to.equal(true);
  });

  it('has the language that the visitor has chosen on another page of the tab', async () => {
    const { element, find } = await mount([]);
    pass('pagehide');
    sessionStorage.setItem('workspace-chat-locale en', 'ar');
    pass('pageshow');
    await until(() => find('.panel').closest('[dir]')?.getAttribute('dir') === 'rtl');
    expect(element.locale).to.equal('ar');
  });
});
