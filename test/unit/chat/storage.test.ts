import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GuardedStorage, MemoryStorage, type ConversationStorage } from '../../../src/chat/storage/storage.ts';
import { FakeClock } from '../../support/fakes/fake-clock.ts';
import { SlowStorage } from '../../support/fakes/slow-storage.ts';

/** A storage whose operations take as long as `delay` returns. */
const slowStorage = (clock: FakeClock, delay: () => number): ConversationStorage => {
  const memory = new MemoryStorage();
  const wait = () => new Promise<void>((resolve) => void clock.after(delay(), resolve));
  return {
    load: async (key) => {
      await wait();
      return memory.load(key);
    },
    update: async (key, change) => {
      await wait();
      await memory.update(key, change);
    },
    keys: () => memory.keys(),
  };
};

describe('A slow storage', () => {
  const guard = (clock: FakeClock, delay: () => number) => {
    const failures: unknown[] = [];
    const storage = new GuardedStorage(slowStorage(clock, delay), clock, (error) => failures.push(error));
    return { storage, failures };
  };

  it('is replaced by memory within a second when it has never responded', async () => {
    const clock = new FakeClock();
    const { storage, failures } = guard(clock, () => 60_000);
    const loaded = storage.load('key');
    await clock.advance(1_000);
    assert.equal(await loaded, undefined);
    assert.equal(failures.length, 1);
  });

  it('gets more time after it has responded once', async () => {
    const clock = new FakeClock();
    let delay = 10;
    const { storage, failures } = guard(clock, () => delay);
    const first = storage.update('key', () => 'one');
    await clock.advance(10);
    await first;
    delay = 3_000;
    const second = storage.update('key', () => 'two');
    await clock.advance(3_000);
    await second;
    assert.deepEqual(failures, []);
    delay = 60_000;
    const third = storage.update('key', () => 'three');
    await clock.advance(5_000);
    await third;
    assert.equal(failures.length, 1);
    assert.equal(await storage.load('key'), 'three', 'memory has what the storage did not take');
  });

  it('changes nothing when an operation that has timed out completes after all', async () => {
    const clock = new FakeClock();
    const durable = new SlowStorage();
    const storage = new GuardedStorage(durable, clock, () => {});
    const calls: unknown[] = [];
    const append = (item: string) =>
      storage.update('key', (value) => {
        calls.push(item);
        return [...((value as string[] | undefined) ?? []), item];
      });
    const first = [storage.load('key'), append('one')];
    await clock.advance(1_000);
    await Promise.all(first);
    await append('two');
    await durable.speedUp();
    assert.deepEqual(await storage.load('key'), ['one', 'two']);
    assert.deepEqual(calls, ['one', 'two'], 'no change runs twice');
    assert.equal(await durable.load('key'), undefined);
  });
});

describe('The memory', () => {
  it('keeps all changes, in whatever microtask each one is made', async () => {
    const waits = [0, 1, 2, 3];
    const orders = waits.flatMap((one) => waits.flatMap((two) => waits.map((three) => [one, two, three])));
    for (const order of orders) {
      const storage = new GuardedStorage(null, new FakeClock(), () => {});
      const append = async (microtasks: number, item: number) => {
        for (let count = 0; count < microtasks; count++) await Promise.resolve();
        await storage.update('key', (value) => [...((value as number[] | undefined) ?? []), item]);
      };
      await Promise.all(order.map(append));
      const kept = new Set((await storage.load('key')) as number[]);
      assert.deepEqual(kept, new Set([0, 1, 2]), `after ${order.join(', ')} microtasks`);
    }
  });
});
