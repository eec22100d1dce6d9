import { expect } from '@open-wc/testing';
import { parseTeaserRules, watchTeaserRules } from '../../src/workspace-chat/teaser-rules.ts';
import { FakeClock } from '../support/fakes/fake-clock.ts';

describe('The rules of the teaser', () => {
  const start = location.href;
  let watching: AbortController;
  let page: HTMLElement;

  beforeEach(() => {
    watching = new AbortController();
    page = document.createElement('div');
    page.style.blockSize = '4000px';
    document.body.append(page);
    scrollTo(0, 0);
  });

  afterEach(() => {
    watching.abort();
    page.remove();
    history.replaceState(null, '', start);
  });

  const watch = (text: string, visits = 1) => {
    const clock = new FakeClock();
    const { rules, mistakes } = parseTeaserRules(text);
    expect(mistakes).to.deep.equal([]);
    const state = { count: 0, clock };
    watchTeaserRules(rules, { clock, visits: () => visits }, () => void state.count++, watching.signal);
    return state;
  };

  const scrollPage = async (top: number) => {
    const scrolled = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }));
    scrollTo(0, top);
    await scrolled;
  };

  const leave = (clientY: number) =>
    document.dispatchEvent(new MouseEvent('mouseout', { clientY, relatedTarget: null, bubbles: true }));

  it('are read from text, and what is none of them is named', () => {
    expect(parseTeaserRules(' time:20s  scroll:50%\nexit visits:2 path:/pricing* idle:1.5s ').rules).to.deep.equal([
      { kind: 'time', amount: 20_000, pattern: '20s' },
      { kind: 'scroll', amount: 0.5, pattern: '50%' },
      { kind: 'exit', amount: 0, pattern: '' },
      { kind: 'visits', amount: 2, pattern: '2' },
      { kind: 'path', amount: 0, pattern: '/pricing*' },
      { kind: 'idle', amount: 1500, pattern: '1.5s' },
    ]);
    const wrong = 'time:20 time scroll:150% scroll:half exit:now visits:-1 path:pricing idle: toString hover:2s';
    expect(parseTeaserRules(wrong).mistakes.join(' ')).to.equal(wrong);
  });

  it('hold after a time', async () => {
    const state = watch('time:20s');
    await state.clock.advance(19_000);
    expect(state.count).to.equal(0);
    await state.clock.advance(1_000);
    expect(state.count).to.equal(1);
  });

  it('hold once a share of the page was scrolled, or when there is nothing to scroll', async () => {
    const state = watch('scroll:50%');
    await scrollPage(200);
    expect(state.count).to.equal(0);
    await scrollPage(3000);
    expect(state.count).to.equal(1);
    await scrollPage(0);
    await scrollPage(3000);
    expect(state.count).to.equal(1);
    page.style.blockSize = '0';
    expect(watch('scroll:100%').count).to.equal(1);
  });

  it('hold when the visitor has done nothing for a while', async () => {
    const state = watch('idle:30s');
    for (let moves = 0; moves < 4; moves++) {
      await state.clock.advance(20_000);
      dispatchEvent(new PointerEvent('pointermove'));
    }
    expect(state.count).to.equal(0);
    await state.clock.advance(29_999);
    expect(state.count).to.equal(0);
    await state.clock.advance(1);
    expect(state.count).to.equal(1);
  });

  it('hold when the pointer leaves at the top, once the other rules hold', async () => {
    const state = watch('time:5s exit');
    leave(-1);
    await state.clock.advance(5_000);
    expect(state.count).to.equal(0);
    leave(300);
    expect(state.count).to.equal(0);
    leave(-1);
    leave(-1);
    expect(state.count).to.equal(1);
  });

  it('hold from a number of visits on', () => {
    expect(watch('visits:2', 1).count).to.equal(0);
    expect(watch('visits:2', 2).count).to.equal(1);
  });

  it('hold on a path, also when a script navigates there', () => {
    const state = watch('path:/pricing*');
    expect(state.count).to.equal(0);
    history.pushState(null, '', '/pricing/yearly');
    dispatchEvent(new PopStateEvent('popstate'));
    expect(state.count).to.equal(1);
  });
});
