import { expect } from '@open-wc/testing';
import { maxMessageLength } from '../../contract/limits.ts';
import { mount, type, until } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

/** Replaces each text node by a copy in another element, as a browser's translator does. */
const translate = (root: ShadowRoot): void => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  for (const node of nodes) {
    if (!node.data.trim() || node.parentElement?.closest('textarea')) continue;
    const copy = document.createElement('font');
    copy.textContent = `${node.data} (translated)`;
    node.replaceWith(copy);
  }
};

describe('On a page that the browser translates', () => {
  it('the heading and the status follow a change of the language', async () => {
    const { element, find } = await mount();
    translate(element.shadowRoot!);
    expect(find('.status').textContent).to.equal('Assistant (translated)');
    element.locale = 'ar';
    await until(() => find('.status').textContent === 'المساعد');
    expect(find('h2').textContent.trim()).not.to.contain('translated');
  });

  it('the banner follows the length of the draft', async () => {
    const { element, find } = await mount();
    const draft = find<HTMLTextAreaElement>('textarea');
    type(draft, 'x'.repeat(maxMessageLength + 7));
    await until(() => find('.banner')?.textContent.includes('7'));
    translate(element.shadowRoot!);
    type(draft, 'x'.repeat(maxMessageLength + 8));
    await until(() => find('.banner').textContent.includes('8'));
    expect(find('.banner').textContent).not.to.contain('translated');
  });

  it('the badge follows the number of unread messages', async () => {
    const { element, find } = await mount([streamed(started())], { mode: 'floating' });
    await element.send('Hi');
    const receive = (id: string) =>
      element.receive({ id, role: 'assistant', content: 'Hello', conversation_id: element.conversationId });
    await until(() => find('.badge')?.textContent === '1');
    translate(element.shadowRoot!);
    receive('m8');
    await until(() => element.unreadCount === 2);
    await element.updateComplete;
    expect(find('.badge').textContent).to.equal('2');
  });
});
