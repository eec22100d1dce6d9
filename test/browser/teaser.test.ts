import { expect } from '@open-wc/testing';
import { mount, unmountAll, until, recordErrors } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

const flag = 'workspace-chat-teaser agt_1';

describe('The teaser', () => {
  beforeEach(() => localStorage.removeItem(flag));
  afterEach(async () => {
    await unmountAll();
    localStorage.removeItem(flag);
  });

  const floating = (attributes: Record<string, string>, responses = [streamed(started())]) =>
    mount(responses, { mode: 'floating', 'teaser-delay': '0', ...attributes });

  it('opens the chat, and is not shown again on this site', async () => {
    const first = await floating({ teaser: 'Need help?' });
    const text = await until(() => first.find<HTMLButtonElement>('.teaser .text'));
    expect(text.textContent.trim()).to.equal('Need help?');
    text.click();
    await until(() => first.element.open && !first.find('.teaser'));
    await unmountAll();
    const second = await floating({ teaser: 'Need help?' });
    await second.element.ready;
    // The text of another agent's teaser says that this one has had its time.
    const other = await floating({ teaser: 'Other', 'agent-id': 'agt_2' });
    await until(() => other.find('.teaser'));
    expect(second.findAll('.teaser').length).to.equal(0);
    localStorage.removeItem('workspace-chat-teaser agt_2');
  });

  for (const delay of ['abc', null])
    it(`waits as long as by default with the delay ${delay}`, async () => {
      const first = await floating({ teaser: 'Need help?', 'teaser-delay': 'abc' });
      if (delay === null) first.element.removeAttribute('teaser-delay');
      const other = await floating({ teaser: 'Other', 'teaser-delay': '50', 'agent-id': 'agt_2' });
      await until(() => other.find('.teaser'));
      expect(first.find('.teaser')).to.equal(null);
    });

  it('waits for the delay that the page sets while it waits', async () => {
    const { element, find } = await floating({ teaser: 'Need help?', 'teaser-delay': '1000000' });
    element.teaserDelay = 0;
    await until(() => find('.teaser'));
    element.teaserDelay = 1_000_000;
    await element.updateComplete;
    expect(find('.teaser')).not.to.equal(null);
  });

  it('is dismissed for good by one tap', async () => {
    const { find, findAll, element } = await floating({ teaser: 'Need help?' });
    (await until(() => find<HTMLButtonElement>('.teaser .dismiss'))).click();
    expect(findAll('.teaser').length).to.equal(0);
    expect(element.open).to.equal(false);
    expect(localStorage.getItem(flag)).to.equal('1');
    expect(element.shadowRoot!.activeElement).to.equal(find('.launcher'));
  });

  it('is dismissed for one agent, and shown for another one that the page sets', async () => {
    const { find, element } = await floating({ teaser: 'Need help?' });
    (await until(() => find<HTMLButtonElement>('.teaser .dismiss'))).click();
    element.agentId = 'agt_2';
    (await until(() => find<HTMLButtonElement>('.teaser .dismiss'))).click();
    expect(localStorage.getItem('workspace-chat-teaser agt_2')).to.equal('1');
    localStorage.removeItem('workspace-chat-teaser agt_2');
  });

  it('of the page is not shown for another agent that the page sets, which the visitor may know', async () => {
    const other = 'workspace-chat-teaser agt_2';
    const { find, element } = await floating({});
    element.showTeaser('Was your card declined?');
    await until(() => find('.teaser'));
    element.agentId = 'agt_2';
    await until(() => !find('.teaser'));
    element.open = true;
    await until(() => localStorage.getItem(other));
    expect(localStorage.getItem(flag)).to.equal(null);
    localStorage.removeItem(other);
  });

  it('shows the reply that the visitor has not read, until it is read or dismissed', async () => {
    const { element, find, findAll } = await floating({ teaser: '' });
    await element.send('Hi');
    const text = await until(() => find('.teaser .text'));
    expect(text.textContent.trim()).to.equal('Hello there');
    find<HTMLButtonElement>('.teaser .dismiss').click();
    expect(findAll('.teaser').length).to.equal(0);
    expect(localStorage.getItem(flag)).to.equal(null);
    element.receive({ id: 'm9', role: 'assistant', actor_type: 'owner', content: 'It is **Salma**.' });
    await until(() => find('.teaser .text')?.textContent.trim() === 'It is **Salma**.');
    element.show();
    await until(() => !find('.teaser'));
  });

  it('does not show a dismissed reply again after a reload, but shows the next one', async () => {
    const agent = { teaser: '', storage: 'indexeddb', 'agent-id': `agt_${crypto.randomUUID()}` };
    const first = await floating(agent);
    await first.element.send('Hi');
    (await until(() => first.find<HTMLButtonElement>('.teaser .dismiss'))).click();
    await unmountAll();
    const second = await floating(agent);
    await second.element.ready;
    await until(() => second.find('.badge') && second.element.conversationId);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(second.findAll('.teaser').length).to.equal(0);
    const message = { id: 'm9', role: 'assistant', actor_type: 'owner', content: 'It is Salma.' };
    second.element.receive({ ...message, conversation_id: second.element.conversationId });
    await until(() => second.find('.teaser .text')?.textContent.trim() === 'It is Salma.');
    await second.element.reset();
    localStorage.removeItem(`workspace-chat-teaser-reply ${agent['agent-id']}`);
  });

  it('takes the reply off the screen when the page is left, and shows it again when the page is restored', async () => {
    const { element, find, findAll } = await floating({ teaser: '' });
    await element.send('Hi');
    await until(() => find('.teaser .text'));
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
    expect(findAll('.teaser').length).to.equal(0);
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await until(() => find('.teaser .text'));
  });

  it('is shown without a picture that is missing', async () => {
    const { find } = await floating({ teaser: 'Need help?', avatar: '/missing.png' });
    const picture = await until(() => find('.teaser img'));
    await until(() => !picture.checkVisibility());
  });

  it('is shown once in a visit when its rules hold', async () => {
    const rules = { teaser: 'Need help?', 'teaser-when': 'visits:1', 'agent-id': `agt_${crypto.randomUUID()}` };
    const first = await floating(rules);
    await until(() => first.find('.teaser'));
    first.element.remove();
    const second = await floating(rules);
    await second.element.ready;
    const other = await floating({ teaser: 'Other', 'agent-id': 'agt_3' });
    await until(() => other.find('.teaser'));
    expect(second.findAll('.teaser').length).to.equal(0);
    localStorage.removeItem(`workspace-chat-visits ${rules['agent-id']}`);
  });

  it('waits for its rules also when the page sets its text later', async () => {
    const agent = `agt_${crypto.randomUUID()}`;
    const { element, find, findAll } = await floating({
      teaser: '',
      'teaser-when': 'visits:1 path:/nowhere',
      'agent-id': agent,
    });
    await element.ready;
    element.teaser = 'Need help?';
    await until(() => localStorage.getItem(`workspace-chat-visits ${agent}`) === '1');
    expect(findAll('.teaser').length).to.equal(0);
    element.teaserWhen = 'visits:1';
    await until(() => find('.teaser'));
    localStorage.removeItem(`workspace-chat-visits ${agent}`);
  });

  it('is not shown with an unknown rule, which the console names', async () => {
    const errors = recordErrors();
    const { findAll } = await floating({ teaser: 'Need help?', 'teaser-when': 'time:0s hover:2s' });
    await until(() => errors.length > 0);
    expect(errors.join()).to.include('“hover:2s”');
    expect(findAll('.teaser').length).to.equal(0);
  });

  it('shows a text of the page with messages to send, once in a visit', async () => {
    const agent = `agt_${crypto.randomUUID()}`;
    const { element, find, findAll, service } = await floating({ 'agent-id': agent });
    element.showTeaser('Was your card declined?', { starters: ['Which cards do you accept?'] });
    const starter = await until(() => find<HTMLButtonElement>('.teaser .starters button'));
    expect(find('.teaser .text').textContent.trim()).to.equal('Was your card declined?');
    starter.click();
    await until(() => element.open && service.calls.length === 1);
    expect(service.calls[0]!.body.messages[0]!.content).to.equal('Which cards do you accept?');
    element.hide();
    element.showTeaser('Again?');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(findAll('.teaser').length).to.equal(0);
    localStorage.removeItem(`workspace-chat-teaser ${agent}`);
  });

  it('appears when the page sets it later, and disappears when the page removes it', async () => {
    const { element, find } = await floating({});
    await element.ready;
    element.teaser = 'Later';
    await until(() => find('.teaser')?.textContent.includes('Later'));
    element.teaser = null;
    await until(() => !find('.teaser'));
  });
});
