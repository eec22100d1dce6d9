import { expect } from '@open-wc/testing';
import { mount, until, type Mounted } from '../support/pages/element.ts';
import { replyWith } from '../support/fakes/fake-service.ts';

const text = 'Call +968 9123 4567, write to a@b.example or see https://shop.example/returns.';

/** Converses until there are three replies, and returns the chat. */
const converse = async (attributes: Record<string, string>): Promise<Mounted> => {
  const blocks = [{ type: 'products', items: [{ name: 'Vase', price: 12, currency: 'OMR' }] }];
  const replies = ['m1', 'm2', 'm3'].map((id) => replyWith(`${text}\n\n`.repeat(4), { id, blocks }));
  const chat = await mount(replies, attributes);
  for (const count of [1, 2, 3]) {
    await chat.element.send(text);
    await until(() => chat.findAll('.agent .bubble.text').length === count);
  }
  await until(() => chat.find('.meta .copy'));
  return chat;
};

describe('The bubbles of a conversation', () => {
  for (const locale of ['en', 'ar'])
    for (const mode of ['inline', 'floating'])
      it(`leave nothing outside that would make the panel scroll (${locale}, ${mode})`, async () => {
        const { find, findAll } = await converse({ locale, mode, open: '' });
        const panel = find('.panel');
        expect(panel.scrollHeight).to.equal(panel.clientHeight);
        expect(panel.scrollWidth).to.equal(panel.clientWidth);
        panel.scrollTop = 100;
        expect(panel.scrollTop).to.equal(0);
        find('.scroller').scrollTop = 0;
        for (const message of findAll('.scroller, .bubble, .message')) {
          message.scrollIntoView({ block: 'start' });
          expect(find('.header').getBoundingClientRect().top).to.equal(
            panel.getBoundingClientRect().top + panel.clientTop,
          );
        }
      });

  it('contain their visually hidden texts', async () => {
    const { findAll } = await converse({});
    for (const bubble of findAll('.bubble')) {
      const author = getComputedStyle(bubble, '::before');
      if (author.content === 'none') continue;
      expect([author.position, getComputedStyle(bubble).position], bubble.outerHTML).to.deep.equal([
        'absolute',
        'relative',
      ]);
    }
    const hidden = findAll('.messages .visually-hidden');
    expect(hidden).to.have.length.greaterThan(0);
    for (const element of hidden) {
      const box = element.closest('workspace-chat-message')!.getBoundingClientRect();
      const { top, bottom, left, right } = element.getBoundingClientRect();
      const isInside = top >= box.top - 1 && bottom <= box.bottom + 1 && left >= box.left - 1 && right <= box.right + 1;
      expect(isInside, element.outerHTML).to.equal(true);
    }
  });

  for (const scheme of ['light', 'dark'])
    it(`show links, addresses and phone numbers of a visitor in the color of the text (${scheme})`, async () => {
      const { find, findAll } = await converse({ 'color-scheme': scheme });
      const links = findAll('.visitor .bubble a');
      expect(links).to.have.length(9);
      const { color } = getComputedStyle(find('.visitor .bubble'));
      for (const link of links)
        for (const element of [link, ...link.querySelectorAll('*')])
          expect(getComputedStyle(element).color, element.outerHTML).to.equal(color);
    });

  it('underline every link, also where a run of characters stays together', async () => {
    const { findAll } = await converse({});
    const links = findAll('.bubble a');
    expect(links.filter((link) => link.querySelector('bdi'))).to.have.length.greaterThan(0);
    for (const link of links)
      for (const element of [link, ...link.querySelectorAll('*')]) {
        const { display, textDecorationLine } = getComputedStyle(element);
        if (element === link || display !== 'inline')
          expect(textDecorationLine, element.outerHTML).to.equal('underline');
      }
  });
});
