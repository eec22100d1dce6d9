import { expect } from '@open-wc/testing';
import { frames, mount, type, until, type Mounted } from '../support/pages/element.ts';
import { openStream, replyWith, started, streamed } from '../support/fakes/fake-service.ts';

/** Returns a reply that has started with `text`, and continues as the stream is written. */
const streamReply = async (text: string) => {
  const stream = openStream();
  const { element, find } = await mount([stream.reply]);
  void element.send('Hi');
  await frames(2);
  stream.write('delta', { text });
  const container = await until(() => find('.message.agent .text'));
  await until(() => container.textContent);
  return { stream, element, find, text: container };
};

describe('The transcript', () => {
  const long = Array.from({ length: 60 }, (_, index) => `Paragraph ${index} of a long reply.`).join('\n\n');
  const isAtEnd = (scroller: HTMLElement) => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop < 3;

  /** Returns the pixels between the top of the view and the start of the last message. */
  const startOfLast = ({ find, findAll }: Pick<Mounted, 'find' | 'findAll'>): number =>
    findAll('.message').at(-1)!.getBoundingClientRect().top - find('.scroller').getBoundingClientRect().top;

  it('stays at its end while a reply grows, until the start of the reply would leave the view', async () => {
    const stream = openStream();
    const { element, find, findAll } = await mount([stream.reply]);
    const scroller = find('.scroller');
    void element.send('Tell me');
    await frames(3);
    stream.write('delta', { text: 'Paragraph\n\n' });
    await until(() => find('.message.agent .text')?.textContent);
    expect(isAtEnd(scroller)).to.equal(true);
    expect(find('.to-end')).to.equal(null);
    for (let i = 0; i < 30; i++) {
      stream.write('delta', { text: `Paragraph ${i}\n\n` });
      await frames(1);
    }
    await until(() => scroller.scrollHeight > 2 * scroller.clientHeight);
    await frames(3);
    expect(startOfLast({ find, findAll })).to.be.closeTo(8, 2);
    const button = await until(() => find<HTMLButtonElement>('.to-end'));
    expect(button.querySelector('.visually-hidden')).not.to.equal(null);

    button.click();
    await frames(2);
    stream.write('delta', { text: 'The end\n\n' });
    await frames(5);
    expect(isAtEnd(scroller)).to.equal(true);
    expect(find('.to-end')).to.equal(null);
    stream.write('done', started());
    await until(() => !element.busy);
    await frames(3);
    expect(isAtEnd(scroller)).to.equal(true);
  });

  it('updates a reply in every second frame at most while it streams, and shows all of it at its end', async () => {
    const { stream, text } = await streamReply('Word');
    let updates = 0;
    const mutations = new MutationObserver(() => updates++);
    mutations.observe(text, { subtree: true, childList: true, characterData: true });
    // Deltas arrive independently of the frames.
    const deltas = setInterval(() => stream.write('delta', { text: ' more' }));
    await frames(40);
    clearInterval(deltas);
    mutations.disconnect();
    expect(updates).to.be.within(2, 21);
    stream.write('done', started());
    await until(() => text.textContent === 'Hello there');
  });

  it('stops following a reply at one upward gesture', async () => {
    const stream = openStream();
    const { element, find } = await mount([stream.reply]);
    const scroller = find('.scroller');
    void element.send('Tell me');
    await frames(3);
    stream.write('delta', { text: long });
    const button = await until(() => find<HTMLButtonElement>('.to-end'));
    button.click();
    await frames(2);
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -40 }));
    scroller.scrollTop -= 120;
    await frames(2);
    const { scrollTop } = scroller;
    for (let i = 0; i < 10; i++) {
      stream.write('delta', { text: `More ${i}\n\n` });
      await frames(1);
    }
    expect(scroller.scrollTop).to.be.closeTo(scrollTop, 2);
    await until(() => find('.to-end')?.textContent.includes('New messages'));
    scroller.scrollTop = scroller.scrollHeight;
    await frames(2);
    stream.write('delta', { text: 'The end\n\n' });
    await frames(5);
    expect(isAtEnd(scroller), 'a reader who has scrolled to the end stays there').to.equal(true);
  });

  for (const change of ['the window grows', 'a draft of several lines is cleared'])
    it(`shows the next message when ${change} at its end`, async () => {
      const { element, find, findAll } = await mount([replyWith(long)]);
      const scroller = find('.scroller');
      const page = element.parentElement!;
      const draft = find<HTMLTextAreaElement>('textarea');
      await element.send('One');
      (await until(() => find('.to-end'))).click();
      await until(() => isAtEnd(scroller) && !find('.to-end'));
      const { clientHeight } = scroller;
      page.style.blockSize = '460px';
      type(draft, '1\n2\n3\n4');
      await until(() => scroller.clientHeight < clientHeight - 80 && isAtEnd(scroller));
      await frames(3);
      const { clientHeight: smaller } = scroller;
      if (change === 'the window grows') page.style.blockSize = '480px';
      else type(draft, '');
      await until(() => scroller.clientHeight > smaller);
      await frames(3);
      element.receive({ id: 'm2', role: 'assistant', content: 'Next', conversation_id: element.conversationId });
      await until(() => findAll('.text').length === 2);
      await frames(5);
      expect(isAtEnd(scroller)).to.equal(true);
    });

  for (const [name, block] of [
    ['options', { type: 'options', prompt: 'Which?', options: [{ label: 'One' }, { label: 'Two' }] }],
    ['open times', { type: 'open_times', timezone: 'Asia/Muscat', times: [{ start: '2026-12-01T10:00:00Z' }] }],
  ] as const)
    it(`does not cover ${name} with the button at its end, until the visitor has chosen`, async () => {
      const replies = [replyWith(long, { blocks: [block] }), replyWith(long, { id: 'm2' })];
      const { element, find, findAll } = await mount(replies);
      await element.send('One');
      const button = await until(() => find('.to-end'));
      await until(() => button.getBoundingClientRect().top >= find('.scroller').getBoundingClientRect().bottom);
      findAll<HTMLButtonElement>('[part=option], [part=time]')[0]!.click();
      await until(() => findAll('.agent .text').length === 2 && find('.to-end'));
      await until(() => find('.to-end').getBoundingClientRect().top < find('.scroller').getBoundingClientRect().bottom);
    });

  it('has no button at its end where only the row of that button covers the end', async () => {
    const blocks = [{ type: 'options', prompt: 'Which?', options: [{ label: 'One' }, { label: 'Two' }] }];
    const { element, find } = await mount([replyWith(long, { blocks })]);
    const scroller = find('.scroller');
    await element.send('One');
    await until(() => find('.with-controls .to-end'));
    const row = element.shadowRoot!.querySelector('workspace-chat-transcript')!.clientHeight - scroller.clientHeight;
    scroller.scrollTop = scroller.scrollHeight - scroller.clientHeight - row;
    await until(() => !find('.to-end'));
    expect(isAtEnd(scroller)).to.equal(true);
  });

  it('shows the next message when the button at its end had a row of its own, below a form', async () => {
    const fields = Array.from('abcdefgh', (key) => ({ key, label_en: key, kind: 'text', options: [] }));
    const blocks = [{ type: 'form', title: { en: 'Your order' }, fields }];
    const { element, find, findAll } = await mount([replyWith('Please', { blocks })]);
    const scroller = find('.scroller');
    await element.send('One');
    (await until(() => find('.with-controls .to-end'))).click();
    await until(() => isAtEnd(scroller) && !find('.to-end'));
    await frames(3);
    element.receive({ id: 'm2', role: 'assistant', content: long, conversation_id: element.conversationId });
    await until(() => findAll('.text').length === 2);
    await frames(5);
    expect(isAtEnd(scroller)).to.equal(true);
  });

  it('lets the reader scroll upward in the frame in which its box grows', async () => {
    const { stream, element, find, text } = await streamReply(long);
    const scroller = find('.scroller');
    const button = await until(() => find<HTMLButtonElement>('.to-end'));
    button.click();
    await until(() => isAtEnd(scroller) && !find('.to-end'));
    await frames(3);
    element.parentElement!.style.blockSize = '520px';
    scroller.scrollTop -= 120;
    const { scrollTop } = scroller;
    await frames(3);
    stream.write('delta', { text: '\n\nThe end' });
    await until(() => text.textContent.includes('The end'));
    await frames(5);
    expect(scroller.scrollTop).to.be.closeTo(scrollTop, 2);
    stream.end();
  });

  it('shows the start of a reply that is taller than the view', async () => {
    const { element, find, findAll } = await mount([replyWith(long)]);
    await element.send('Tell me');
    await until(() => find('.scroller').scrollHeight > 2 * find('.scroller').clientHeight);
    await until(() => Math.abs(startOfLast({ find, findAll }) - 8) < 2);
  });

  it('shows the top of an empty conversation with many starters, and no button that would cover them', async () => {
    const { find, findAll } = await mount([], { starters: JSON.stringify(long.split('\n\n')) });
    await until(() => findAll('.starter').length === 60);
    await frames(3);
    expect(find('.scroller').scrollTop).to.equal(0);
    expect(isAtEnd(find('.scroller'))).to.equal(false);
    expect(find('.to-end')).to.equal(null);
  });

  it('shows the first starter below the greeting on a phone held sideways', async () => {
    const greeting = 'Ask us anything about orders, deliveries, returns and opening hours. We reply within a minute.';
    const cases: Record<string, string>[] = [{}, { locale: 'ar' }, { greeting }];
    for (const attributes of cases) {
      const { find, findAll } = await mount(
        [],
        { mode: 'floating', open: '', starters: '["One","Two"]', ...attributes },
        ({ style }) => {
          style.setProperty('--workspace-chat-width', '640px');
          style.setProperty('--workspace-chat-height', '320px');
        },
      );
      const isShown = () => find('.panel').clientHeight > 0 && find('.panel').clientHeight <= 320;
      await until(() => findAll('.starter').length === 2 && isShown());
      const [starter, scroller] = [find('.starter'), find('.scroller')].map((each) => each.getBoundingClientRect());
      expect(starter!.bottom, Object.keys(attributes).join()).to.be.below(scroller!.bottom);
    }
  });

  it('sets the language of a reply that is not in the language of the chat', async () => {
    const replies = [replyWith('أهلًا', { lang: 'ar' }), replyWith('Hello', { id: 'm1', lang: 'en' })];
    const { element, find, findAll } = await mount(replies);
    await element.send('Hi');
    await until(() => find('.message.agent .text')?.textContent === 'أهلًا');
    expect(find('.bubble.text').lang).to.equal('ar');
    await element.send('Hi');
    await until(() => findAll('.text').at(-1)?.textContent === 'Hello');
    expect(findAll('.bubble.text').at(-1)!.hasAttribute('lang')).to.equal(false);
    element.receive({ id: 'm2', role: 'assistant', content: 'Hello', conversation_id: element.conversationId });
    await until(() => findAll('.text').length === 3);
    expect(findAll('.bubble.text').at(-1)!.hasAttribute('lang')).to.equal(false);
  });

  it('scrolls to its end when the visitor sends a message', async () => {
    const stream = openStream();
    const { element, find } = await mount([replyWith(long), stream.reply]);
    await element.send('One');
    const scroller = find('.scroller');
    await until(() => scroller.scrollHeight > 1_000);
    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -40 }));
    scroller.scrollTop = 0;
    await frames(2);
    void element.send('Two');
    await frames(4);
    expect(isAtEnd(scroller)).to.equal(true);
    stream.end();
  });

  it('reports a link of a reply when it is activated, and lets the page prevent it', async () => {
    const content = 'Text and [a **b**](https://a.example/)';
    const { element, find, findAll } = await mount([replyWith(content)]);
    await element.send('Hi');
    await until(() => find('.text a') && findAll('.meta').length === 2);
    const urls: string[] = [];
    element.addEventListener('workspace-chat-link', (event) => {
      urls.push(event.url);
      event.preventDefault();
    });
    const activate = (target: Element, type: string) =>
      target.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true, cancelable: true }));
    expect(activate(find('.text strong'), 'click')).to.equal(false);
    expect(activate(find('.text a'), 'auxclick')).to.equal(false);
    expect(activate(find('.text p'), 'click')).to.equal(true);
    const forMenu = new MouseEvent('auxclick', { bubbles: true, composed: true, cancelable: true, button: 2 });
    expect(find('.text a').dispatchEvent(forMenu)).to.equal(true);
    expect(urls).to.deep.equal(['https://a.example/', 'https://a.example/']);
  });

  it('has the checkboxes of tasks without the box of a field', async () => {
    const { element, find } = await mount([replyWith('- [ ] Pay')]);
    await element.send('Hi');
    const box = await until(() => find('.md-task'));
    // Chromium ignores both where the system draws the box. Other browsers do not.
    box.style.appearance = 'none';
    const { padding, borderStyle } = getComputedStyle(box);
    expect([padding, borderStyle]).to.deep.equal(['0px', 'none']);
  });

  it('makes few elements for a message, because there may be a thousand of them', async () => {
    const { element, findAll } = await mount([streamed(started(), 'Hello')]);
    await element.send('Hi');
    await until(() => findAll('.meta').length === 2);
    const [question, reply] = findAll('workspace-chat-message');
    // The bubble and the line below it. In the reply also the disc, the paragraph and the copy button.
    expect([question, reply].map((message) => message!.querySelectorAll('*').length)).to.deep.equal([2, 5]);
    expect(
      [question, reply].map((message) => message!.querySelector<HTMLElement>('.bubble')!.dataset['author']),
    ).to.eql(['You', 'Assistant']);
  });

  it('renders many deltas in one frame', async () => {
    const { stream, element, text } = await streamReply('Start ');
    let changes = 0;
    const observer = new MutationObserver(() => changes++);
    observer.observe(text, { subtree: true, childList: true, characterData: true });
    await frames(1);
    changes = 0;
    for (let i = 0; i < 50; i++) stream.write('delta', { text: `word${i} ` });
    await until(() => text.textContent.includes('word49'));
    expect(changes).to.be.at.most(3);
    observer.disconnect();
    stream.write('done', started());
    await until(() => !element.busy);
  });
});
