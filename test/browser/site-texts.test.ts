/** The texts that a site writes itself, outside of messages. */
import { expect } from '@open-wc/testing';
import { mount, until, type Mounted } from '../support/pages/element.ts';
import { replyWith, started, streamed } from '../support/fakes/fake-service.ts';

const runs = ['+968 9212 3456', 'SKU-1042'];
const text = `هاتف ${runs.join(' أو ')}`;

/** Whether each run of an element is written from left to right, on one line. */
const isInOrder = (element: Element): boolean => {
  const characters: { character: string; left: number }[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node; (node = walker.nextNode() as Text | null);)
    for (let at = 0; at < node.length; at++) {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      characters.push({ character: node.data[at]!, left: range.getBoundingClientRect().left });
    }
  const whole = characters.map(({ character }) => character).join('');
  return runs.every((run) => {
    const start = whole.indexOf(run);
    const lefts = characters.slice(start, start + run.length).map(({ left }) => left);
    return start >= 0 && lefts.every((left, index) => index === 0 || left > lefts[index - 1]!);
  });
};

describe('The numbers in an Arabic text of the site', () => {
  const rightToLeft = (attributes: Record<string, string>, reply = streamed(started())) =>
    mount([reply], { locale: 'ar', ...attributes });
  const form = { type: 'form', id: 'b1', title: '', submit_label: text, fields: [{ key: 'a', kind: 'text' }] };
  const places: Record<string, () => Promise<{ chat: Mounted; selector: string }>> = {
    'the launcher': async () => ({
      chat: await rightToLeft({ mode: 'floating', 'launcher-label': text }),
      selector: '.launcher bdi',
    }),
    'the teaser': async () => ({
      chat: await rightToLeft({ mode: 'floating', teaser: text, 'teaser-delay': '0' }),
      selector: '.teaser .text',
    }),
    'the heading': async () => ({ chat: await rightToLeft({ heading: text }), selector: '.header h2' }),
    'the question for consent': async () => {
      const chat = await rightToLeft({ mode: 'floating', consent: JSON.stringify({ text, version: '1' }) });
      chat.element.show();
      return { chat, selector: '.consent p' };
    },
    'the button of a form': async () => {
      const chat = await rightToLeft({}, replyWith('نموذج', { blocks: [form] }));
      await chat.element.send('مرحبا');
      return { chat, selector: '.block form .button' };
    },
  };
  for (const [name, show] of Object.entries(places))
    it(`are not reversed in ${name}`, async () => {
      localStorage.clear();
      const { chat, selector } = await show();
      chat.element.style.setProperty('--workspace-chat-font-size', '10px');
      const element = await until(() => chat.find(selector));
      await until(() => element.getBoundingClientRect().width > 0);
      expect(isInOrder(element)).to.equal(true);
    });

  it('are not reversed in the composer', async () => {
    const chat = await rightToLeft({});
    chat.element.strings = { placeholder: text };
    await until(() => chat.find('textarea').getAttribute('placeholder')?.includes('\u2066+968 9212 3456\u2069'));
  });

  it('have no marks around them when the text is not Arabic', async () => {
    const { find } = await mount([], { heading: 'Call +968 9212 3456' });
    expect(find('.header h2').textContent).to.equal('Call +968 9212 3456');
  });
});
