import { expect } from '@open-wc/testing';
import { addMarkup, finishAnimations, mount, press, unmountAll, until } from '../support/pages/element.ts';

describe('A chat in the layer of the page', () => {
  const open = async (attributes: Record<string, string> = {}) => {
    const chat = await mount([], { mode: 'floating', layer: 'page', ...attributes });
    const launcher = await until(() => chat.find<HTMLButtonElement>('.launcher'));
    launcher.click();
    await until(() => chat.find('dialog')?.checkVisibility());
    return { ...chat, launcher };
  };

  /** Covers the lower end of the page, as a notice about cookies does. */
  const addBanner = (zIndex: number) =>
    addMarkup(`<div style="position: fixed; inset: auto 0 0; block-size: 200px; z-index: ${zIndex}"></div>`);

  const topAt = (element: Element): Element | null => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height - 10);
  };

  it('is not in the top layer, and stands beside its launcher like one that is', async () => {
    const { element, find } = await open();
    expect([find('dialog'), find('.launcher-box')].some((each) => each.matches(':popover-open, :modal'))).to.equal(
      false,
    );
    finishAnimations(element);
    const placed = find('dialog').getBoundingClientRect();
    await unmountAll();
    const other = await open({ layer: 'top' });
    await until(() => other.find('dialog:popover-open'));
    finishAnimations(other.element);
    const { x, y, width, height } = other.find('dialog').getBoundingClientRect();
    expect([placed.width, placed.height]).to.deep.equal([width, height]);
    expect(Math.abs(placed.x - x) + Math.abs(placed.y - y)).to.be.lessThan(30);
  });

  it('is covered by elements of the page with a larger z-index, and covers the others', async () => {
    const { element, find, launcher } = await open();
    finishAnimations(element);
    const banner = addBanner(2000);
    expect(topAt(launcher)).to.equal(banner);
    element.style.setProperty('--workspace-chat-z-index', '2001');
    expect(topAt(launcher)).to.equal(element);
    expect(topAt(find('.header'))).to.equal(element);
  });

  it('closes at Escape and returns the focus', async () => {
    const { element, find, launcher } = await open();
    const input = await until(() => find<HTMLTextAreaElement>('textarea'));
    await until(() => element.shadowRoot!.activeElement === input);
    press(input, 'Escape');
    await until(() => !find('dialog').checkVisibility());
    expect(element.open).to.equal(false);
    expect(element.shadowRoot!.activeElement).to.equal(launcher);
  });

  it('moves to the top layer and back when the attribute changes', async () => {
    const { element, find } = await open();
    element.layer = 'top';
    await until(() => find('dialog').matches(':popover-open') && find('.launcher-box').matches(':popover-open'));
    element.layer = 'page';
    await until(
      () => find('dialog').matches('[open]:not(:popover-open)') && !find('.launcher-box').matches(':popover-open'),
    );
    expect(find('.launcher').checkVisibility()).to.equal(true);
  });

  it('keeps a closed launcher out of the top layer', async () => {
    const { find, element } = await mount([], { mode: 'floating', layer: 'page' });
    await element.ready;
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(find('.launcher-box').matches(':popover-open')).to.equal(false);
    expect(find('.launcher').checkVisibility()).to.equal(true);
    element.layer = 'top';
    await until(() => find('.launcher-box').matches(':popover-open'));
    element.layer = 'page';
    await until(() => !find('.launcher-box').matches(':popover-open'));
    expect(find('.launcher').checkVisibility()).to.equal(true);
  });
});

it('The wheel over a floating panel does not scroll the page, from any part that does not scroll itself', async () => {
  const { find, findAll } = await mount([], { mode: 'floating', open: '' });
  await until(() => find('.panel:popover-open textarea'));
  const turn = (target: Element, init: WheelEventInit = {}) => {
    const event = new WheelEvent('wheel', { deltaY: 50, bubbles: true, composed: true, cancelable: true, ...init });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };
  for (const target of [find('.header'), find('.composer'), find('textarea'), find('.footer'), ...findAll('.header *')])
    expect(turn(target), target.outerHTML).to.equal(true);
  expect(turn(find('.header'), { ctrlKey: true })).to.equal(false);
  const scroller = find('.scroller');
  const filler = document.createElement('div');
  filler.style.blockSize = '2000px';
  scroller.append(filler);
  expect(turn(filler)).to.equal(false);
  expect(turn(filler, { deltaY: -50 })).to.equal(true);
  expect(turn(find('.header'))).to.equal(true);
});
