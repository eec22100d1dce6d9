import { expect } from '@open-wc/testing';
import { mount, unmountAll, until } from '../support/pages/element.ts';
import { started, streamed } from '../support/fakes/fake-service.ts';

const options = { storage: 'indexeddb', 'agent-id': 'agt_far' };
/** More pages than the browser lays out ahead of the reader. */
const count = 420;

describe('Messages of a restored conversation that are far from the view', () => {
  afterEach(unmountAll);

  it('get their line, with the time and the actions, when the reader scrolls to them', async () => {
    const first = await mount([streamed(started())], options);
    await until(() => first.find('[role=status]'));
    await first.element.send('Hi');
    await until(() => first.find('.meta .copy'));
    for (let index = 0; index < count; index++) {
      const message = { id: `m${index}`, role: 'assistant', content: `Message number ${index}` };
      first.element.receive({ ...message, conversation_id: first.element.conversationId });
    }
    const last = `Message number ${count - 1}`;
    await until(() => first.findAll('.text').at(-1)?.textContent === last);
    const lines = ({ findAll }: typeof first) => findAll('.page:first-child .meta').length;
    // A message that was once the newest one keeps its line. The notice that a person has joined has none.
    await until(() => lines(first) === 49);
    await unmountAll();

    const second = await mount([], options);
    await until(() => second.findAll('workspace-chat-message').length === count + 3);
    expect(second.findAll('.page:first-child .text')).to.have.length(48);
    expect(second.find('.page:first-child').textContent).to.include('Message number 0');
    // Browsers without scroll anchoring, such as Safari, skip no pages.
    if (CSS.supports('overflow-anchor', 'auto')) expect(lines(second)).to.equal(0);
    expect(second.findAll('.page:last-child .meta')).to.have.length(23);

    second.find('.scroller').scrollTop = 0;
    await until(() => lines(second) === 49);
    expect(second.findAll('.page:first-child button.copy')).to.have.length(48);
    await second.element.reset();
  });
});
