import { expect } from '@open-wc/testing';
import { mount, unmountAll, until } from '../support/pages/element.ts';
import { openStream, started, streamed } from '../support/fakes/fake-service.ts';

const frame = () => new Promise(requestAnimationFrame);
const frames = async (count: number) => {
  for (let i = 0; i < count; i++) await frame();
};

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
  afterEach(unmountAll);

  const long = Array.from({ length: 60 }, (_, index) => `Paragraph ${index} of a long reply.`).join('\n\n');
  const isAtEnd = (scroller: HTMLElement) => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop < 3;

  it('stays at its end while a reply grows, and stops at one upward gesture', async () => {
    const stream = openStream();
    const { element, find } = await mount([stream.reply]);
    const scroller = find('.scroller');
    void element.send('Tell me');
    for (let i = 0; i < 20; i++) {
      await frame();
      if (i > 2) stream.write('delta', { text: `Paragraph ${i}\n\n` });
    }
    await until(() => scroller.scrollHeight > scroller.clientHeight + 200);
    await frames(3);
    expect(isAtEnd(scroller)).to.equal(true);

    scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -40 }));
    scroller.scrollTop -= 120;
    await frames(2);
    const { scrollTop } = scroller;
    for (let i = 0; i < 10; i++) {
      stream.write('delta', { text: `More ${i}\n\n` });
      await frame();
    }
    expect(scroller.scrollTop).to.be.closeTo(scrollTop, 2);
    const button = await until(() => find<HTMLButtonElement>('.to-end'));
    expect(button.textContent).to.contain('New messages');
    button.click();
    await frames(2);
    expect(isAtEnd(scroller)).to.equal(true);
    expect(find('.to-end')).to.equal(null);
    stream.write('done', started());
    await until(() => !element.busy);
    await frames(3);
    expect(isAtEnd(scroller)).to.equal(true);
  });

  it('sets the language of a reply', async () => {
    const arabic = started({ message: { id: 'm', role: 'assistant', content: 'أهلًا', lang: 'ar' } });
    const { element, find, findAll } = await mount([streamed(arabic)]);
    await element.send('Hi');
    await until(() => find('.message.agent .text')?.textContent === 'أهلًا');
    expect(find('.bubble:has(> .text)').lang).to.equal('ar');
    element.receive({ id: 'm2', role: 'assistant', content: 'Hello', conversation_id: element.conversationId });
    await until(() => findAll('.text').length === 2);
    expect(findAll('.bubble:has(> .text)').at(-1)!.hasAttribute('lang')).to.equal(false);
  });

  it('scrolls to its end when the visitor sends a message', async () => {
    const done = started({ message: { id: 'm', role: 'assistant', content: long } });
    const stream = openStream();
    const { element, find } = await mount([streamed(done), stream.reply]);
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

  it('keeps the nodes of a reply when it is complete', async () => {
    const { stream, element, find } = await streamReply('First paragraph\n\nSecond');
    const paragraph = await until(() => find('.message.agent .text p'));
    stream.write(
      'done',
      started({ message: { id: 'm', role: 'assistant', content: 'First paragraph\n\nSecond one' } }),
    );
    await until(() => !element.busy);
    await frames(2);
    expect(find('.message.agent .text p')).to.equal(paragraph);
    expect(find('.message.agent .text').textContent).to.contain('Second one');
  });

  it('renders many deltas in one frame', async () => {
    const { stream, element, text } = await streamReply('Start ');
    let changes = 0;
    const observer = new MutationObserver(() => changes++);
    observer.observe(text, { subtree: true, childList: true, characterData: true });
    await frame();
    changes = 0;
    for (let i = 0; i < 50; i++) stream.write('delta', { text: `word${i} ` });
    await until(() => text.textContent.includes('word49'));
    expect(changes).to.be.at.most(3);
    observer.disconnect();
    stream.write('done', started());
    await until(() => !element.busy);
  });

  it('leaves the page as much time as rendering takes', async () => {
    const { stream, element, text } = await streamReply('One ');
    const timers: { callback: () => void; delay: number }[] = [];
    const setTimer = window.setTimeout;
    let now = 1_000;
    await new Promise((resolve) => setTimeout(resolve));
    window.setTimeout = ((callback: () => void, delay = 0) => timers.push({ callback, delay })) as typeof setTimeout;
    performance.now = () => now;
    try {
      stream.write('delta', { text: 'two ' });
      await until(() => text.textContent.includes('two'));
      const painted = timers.find(({ delay }) => delay === 0)!;
      now += 30;
      painted.callback();
      const rested = timers.find(({ delay }) => delay === 30)!;
      stream.write('delta', { text: 'three' });
      await frames(5);
      expect(text.textContent).not.to.contain('three');
      rested.callback();
      await until(() => text.textContent.includes('three'));
      // The device slept, so the elapsed time is not rendering time.
      now += 60_000;
      timers.findLast(({ delay }) => delay === 0)!.callback();
      expect(timers.at(-1)!.delay).to.equal(200);
    } finally {
      window.setTimeout = setTimer;
      Reflect.deleteProperty(performance, 'now');
    }
    stream.write('done', started());
    await until(() => !element.busy);
  });
});
