import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withTimeout, type Clock } from '../../../src/api/clock.ts';
import { FakeClock, settle } from '../../support/fakes/fake-clock.ts';

describe('withTimeout', () => {
  it('resolves to the fallback after the delay', async () => {
    const clock = new FakeClock();
    const result = withTimeout(clock, 1_000, new Promise(() => {}), 'late');
    await clock.advance(999);
    assert.equal(await Promise.race([result, Promise.resolve('not yet')]), 'not yet');
    await clock.advance(1);
    assert.equal(await result, 'late');
    assert.equal(clock.pending, 0);
  });

  it('clears its timer when the promise settles in time, and passes on its rejection', async () => {
    const clock = new FakeClock();
    assert.equal(await withTimeout(clock, 1_000, Promise.resolve('soon'), 'late'), 'soon');
    await assert.rejects(withTimeout(clock, 1_000, Promise.reject(new Error('broken')), 'late'), /broken/);
    assert.equal(clock.pending, 0);
  });

  it('does not count the time in which the device slept', async () => {
    // A page that wakes up runs each due timer once, and then the timers that these have set.
    let due: (() => void)[] = [];
    const sleepy: Clock = {
      now: () => 0,
      monotonic: () => 0,
      after(_delay, callback) {
        due.push(callback);
        return () => (due = due.filter((other) => other !== callback));
      },
    };
    let finish!: (value: string) => void;
    const result = withTimeout(sleepy, 1_000, new Promise<string>((resolve) => (finish = resolve)), 'late');
    for (const callback of due.splice(0)) callback();
    await settle();
    finish('soon');
    assert.equal(await result, 'soon');
    assert.equal(due.length, 0);
  });
});
