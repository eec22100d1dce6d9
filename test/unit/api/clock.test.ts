import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withTimeout, type Clock } from '../../../src/api/clock.ts';
import { FakeClock, settle } from '../../support/fakes/fake-clock.ts';

describe('within', () => {
  it('answers the fallback after the delay', async () => {
    const clock = new FakeClock();
    const result = withTimeout(clock, 1_000, new Promise(() => {}), 'late');
    await clock.advance(999);
    assert.equal(await Promise.race([result, Promise.resolve('not yet')]), 'not yet');
    await clock.advance(1);
    assert.equal(await result, 'late');
    assert.equal(clock.pending, 0);
  });

  it('leaves no timer behind a promise that settled in time, and passes its failure on', async () => {
    const clock = new FakeClock();
    assert.equal(await withTimeout(clock, 1_000, Promise.resolve('soon'), 'late'), 'soon');
    await assert.rejects(withTimeout(clock, 1_000, Promise.reject(new Error('broken')), 'late'), /broken/);
    assert.equal(clock.pending, 0);
  });

  it('does not take a page that slept for one that waited', async () => {
    // As in a page that wakes up: whatever fell due runs once, and only then what it has set.
    let due: (() => void)[] = [];
    const sleepy: Clock = {
      now: () => 0,
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
