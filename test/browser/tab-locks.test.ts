import { expect } from '@open-wc/testing';
import { BrowserTabs } from '../../src/chat/tabs.ts';
import { FakeClock } from '../support/fakes/fake-clock.ts';

const deferred = () => {
  let resolve = () => {};
  const promise = new Promise<void>((settled) => (resolve = settled));
  return { promise, resolve };
};

describe('The lock of a turn', () => {
  let count = 0;
  const opened: BrowserTabs[] = [];

  /** One tab runs a turn until `end` is called, another one waits for it. Each tab has a clock of its own. */
  const openTabs = async () => {
    const key = `key ${++count}`;
    const [clock, holderClock] = [new FakeClock(), new FakeClock()];
    const holder = new BrowserTabs(key, holderClock, () => {});
    let onNews = () => {};
    const waiting = new BrowserTabs(key, clock, () => onNews());
    opened.push(holder, waiting);
    const heard = deferred();
    onNews = heard.resolve;
    const { signal } = new AbortController();
    const { promise: turn, resolve: end } = deferred();
    const { promise: isHeld, resolve: hold } = deferred();
    const first = holder.runExclusive(
      () => (hold(), turn),
      signal,
      () => {},
    );
    const outcome = first.then(
      () => 'ended',
      () => 'stolen',
    );
    await isHeld;
    // The first sign of life would count as a later one, if it arrived while the other tab waits.
    await heard.promise;
    const { promise: isWaiting, resolve: wait } = deferred();
    let isGranted = false;
    const second = waiting.runExclusive(async () => void (isGranted = true), signal, wait);
    await isWaiting;
    await clock.advance(0);
    /** Lets five seconds pass in the tab that holds the lock, until the other one has its message. */
    const beat = async () => {
      const next = deferred();
      onNews = next.resolve;
      await holderClock.advance(5_000);
      await next.promise;
    };
    return { clock, end, beat, outcome, second, isGranted: () => isGranted };
  };

  afterEach(() => {
    for (const tabs of opened.splice(0)) tabs.close();
  });

  it('is left to a tab that lives, when the clock of the device is set forward', async () => {
    const { clock, end, beat, outcome, second, isGranted } = await openTabs();
    for (let i = 0; i < 8; i++) {
      clock.shift(40_000);
      await clock.advance(5_000);
      await beat();
    }
    expect(isGranted()).to.equal(false);
    end();
    await second;
    expect(await outcome).to.equal('ended');
  });

  it('is taken from a silent tab after half a minute, when the clock of the device is set back', async () => {
    const { clock, outcome, second } = await openTabs();
    clock.shift(-3_600_000);
    await clock.advance(30_000);
    await second;
    expect(await outcome).to.equal('stolen');
  });
});
