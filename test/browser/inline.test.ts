import { expect } from '@open-wc/testing';
import { addMarkup, mount, until, type Mounted } from '../support/pages/element.ts';

describe('An inline chat', () => {
  /** Shows a chat in a box without a height. */
  const show = async (style: string, boxStyle = ''): Promise<Mounted> => {
    const chat = await mount();
    chat.element.parentElement!.style.cssText = boxStyle;
    chat.element.style.cssText = style;
    await until(() => chat.find('.header'));
    return chat;
  };
  const heightOf = (element: Element) => Math.round(element.getBoundingClientRect().height);

  for (const [name, height, style, boxStyle] of [
    ['no height', 320, ''],
    ['a smallest height', 480, 'min-height: 480px'],
    ['a largest height', 320, 'max-height: 400px'],
    ['the height of its content', 320, 'height: fit-content'],
    ['a percentage of no height', 320, 'height: 50%'],
    ['a height', 400, 'height: 400px'],
    ['a height, as a block', 400, 'height: 400px; display: block'],
    ['a height, and a narrow width', 400, 'height: 400px; width: 300px'],
    ['a share of a column', 500, 'flex: 1; height: auto', 'display: flex; flex-direction: column; height: 500px'],
    ['a row of a grid', 450, '', 'display: grid; grid-template-rows: 450px'],
  ] as const)
    it(`has its composer at the end and shows messages above it with ${name}`, async () => {
      const { element, find } = await show(style, boxStyle);
      expect(heightOf(element)).to.equal(height);
      expect(heightOf(find('.panel'))).to.equal(height);
      expect(heightOf(find('.scroller'))).to.be.greaterThan(100);
      expect(find('.panel').getBoundingClientRect().width).to.equal(element.getBoundingClientRect().width);
    });

  it('is not shown while it is hidden', async () => {
    const { element } = await show('');
    element.hidden = true;
    expect(element.checkVisibility()).to.equal(false);
  });
});

it('A chat in a box of the page does not make the tab’s next page open a floating chat', async () => {
  const { element } = await mount([], { 'launcher-selector': '.contact' });
  addMarkup('<button class="contact">Contact</button>').click();
  await element.updateComplete;
  expect(sessionStorage.getItem('workspace-chat-open agt_1')).to.equal(null);
});
