import { expect } from '@open-wc/testing';
import { press, until } from '../../support/pages/element.ts';
import { lastSent, lastShown, show } from './answered.ts';

/** Two times a day from a Saturday on, at ten and at six in the browser's time zone. */
const times = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    start: new Date(2026, 2, 7 + Math.floor(index / 2), index % 2 ? 18 : 10).toISOString(),
  }));

const block = (count: number) => ({ type: 'open_times', title: 'A class', timezone: '', times: times(count) });

describe('An open times block', () => {
  it('is a grid with a row for each day, named by its title', async () => {
    const { find, findAll } = await show([block(4)]);
    expect(
      document
        .querySelector('workspace-chat')!
        .shadowRoot!.getElementById(find('[role=grid]').getAttribute('aria-labelledby')!)!.textContent,
    ).to.equal('A class');
    expect(findAll('[role=row]').length).to.equal(2);
    expect(findAll('[role=rowheader]')[0]!.textContent).to.contain('Saturday');
    expect(findAll('[part=time]').map(({ tabIndex }) => tabIndex)).to.deep.equal([0, -1, -1, -1]);
  });

  it('has the days of the Gregorian calendar in Saudi Arabia, as the texts of a workspace', async () => {
    const { findAll } = await show([block(2)], { locale: 'ar-SA' });
    expect(findAll('[role=rowheader]')[0]!.textContent).to.contain('مارس');
  });

  for (const [locale, forward, back] of [
    ['en', 'ArrowRight', 'ArrowLeft'],
    ['ar', 'ArrowLeft', 'ArrowRight'],
  ] as const) {
    it(`is navigated with the arrow keys in ${locale}`, async () => {
      const { element, findAll } = await show([block(6)], { locale });
      const slots = findAll('[part=time]');
      const focused = () => slots.indexOf(element.shadowRoot!.activeElement as HTMLElement);
      slots[0]!.focus();
      const walk = (key: string, init?: KeyboardEventInit) => {
        const { defaultPrevented } = press(slots[focused()]!, key, init);
        expect(defaultPrevented).to.equal(true);
        return focused();
      };
      expect(walk(forward)).to.equal(1);
      expect(walk(forward)).to.equal(2);
      expect(walk(back)).to.equal(1);
      expect(walk('ArrowDown')).to.equal(3);
      expect(walk('ArrowDown')).to.equal(5);
      expect(walk('ArrowDown')).to.equal(5);
      expect(walk('ArrowUp')).to.equal(3);
      expect(walk('Home')).to.equal(2);
      expect(walk('End')).to.equal(3);
      expect(walk('End', { ctrlKey: true })).to.equal(5);
      expect(walk('Home', { ctrlKey: true })).to.equal(0);
      expect(walk(back)).to.equal(0);
      expect(press(slots[0]!, 'a').defaultPrevented).to.equal(false);
      slots[4]!.focus();
      await until(() => slots[4]!.tabIndex === 0);
      expect(slots.filter(({ tabIndex }) => tabIndex === 0).length).to.equal(1);
    });
  }

  it('shows a few times at first, and all of them on request', async () => {
    const { element, find, findAll } = await show([block(20)]);
    expect(findAll('[part=time]').length).to.equal(9);
    find('.block .text-button').click();
    await until(() => findAll('[part=time]').length === 20);
    await until(() => element.shadowRoot!.activeElement === findAll('[part=time]')[9]);
    expect(find('.block .text-button')).to.equal(null);
  });

  it('sends the time as text with its ISO start, and then shows the choice', async () => {
    const shown = await show([block(4)]);
    const { element, find, findAll, service } = shown;
    findAll('[part=time]')[2]!.click();
    await until(() => service.calls.length === 2);
    const [words, start] = lastSent(shown)!.split('\n');
    expect(words).to.contain('Sunday');
    expect(start).to.equal(times(4)[2]!.start);
    expect(lastShown(shown)).to.equal(words);
    await until(() => !find('[role=grid]'));
    expect(find('.block').textContent).to.contain(words);
    await until(() => element.shadowRoot!.activeElement === find('textarea'));
  });

  for (const width of [360, 800])
    it(`shows all days alike, however long their times are, ${width} pixels wide`, async () => {
      const shown = [9, 10, 11].map((day, index) => {
        const at = (hour: number) => new Date(2026, 2, day, hour).toISOString();
        return index === 1 ? [{ start: at(9), end: at(10) }, { start: at(12) }] : [{ start: at(9) }];
      });
      const { element, findAll } = await show([{ ...block(0), times: shown.flat() }]);
      element.parentElement!.style.inlineSize = `${width}px`;
      const places = findAll('.day').map((day) => {
        const [label, time] = [day.firstElementChild!, day.querySelector('button')!].map((each) =>
          each.getBoundingClientRect(),
        );
        return [time!.left - label!.left, time!.top - label!.top].map(Math.round);
      });
      expect(places[1]).to.deep.equal(places[0]);
      expect(places[2]).to.deep.equal(places[0]);
    });

  it('names the time zone of the place where it differs', async () => {
    const zone = new Date().getTimezoneOffset() === 600 ? 'Asia/Muscat' : 'Pacific/Honolulu';
    const { find, findAll } = await show([{ ...block(2), timezone: zone }]);
    expect(find('.block > small').textContent).to.match(/Hawaii|Gulf/);
    expect(findAll('[part=time] small').length).to.equal(2);
  });
});
