import { activity, pause } from '../support/pages/counted-page.ts';
import { expect } from '@open-wc/testing';
import { describeActivity } from '../support/pages/activity.ts';
import { mount, unmountAll, until } from '../support/pages/element.ts';

/** Milliseconds that the states are watched. */
const watched = 10_000;

describe('The element at rest', () => {
  afterEach(unmountAll);

  it('runs nothing in any settled state', async function () {
    this.timeout(60_000);
    const closed = await mount([], { mode: 'floating' });
    closed.find('.launcher').dispatchEvent(new PointerEvent('pointerenter'));
    await until(() => closed.find('textarea'));
    const hidden = await mount([]);
    hidden.element.parentElement!.style.display = 'none';
    await pause(3_000);
    activity.length = 0;
    await pause(watched);
    expect(describeActivity(activity)).to.equal('');
  });
});
